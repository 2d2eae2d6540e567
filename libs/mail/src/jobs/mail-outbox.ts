import type { CheckpointedReader, Kernel } from '@annals/kernel';
import { OutboxWakeUps } from '@annals/kernel';
import type { Recorded } from '@annals/kernel/domain';
import type { NewMailTask } from './mail-tasks';
import { addMailTasks } from './mail-tasks';

/** The job queue that wakes the dispatcher. */
export const MAIL_QUEUE = 'mail';

/**
 * A reader of the log that turns events into mails. The tasks commit with its checkpoint, so that no mail is lost. The job
 * only wakes the dispatcher, which also looks for due mails every second.
 *
 * @param tasksOf the mails that an event causes; pure
 * @param begins where it starts in organizations that exist: at their `head`, unless nobody wrote such events before
 */
export function mailTasksReader(
  kernel: Kernel,
  name: string,
  tasksOf: (event: Recorded) => readonly NewMailTask[],
  begins: CheckpointedReader['begins'] = 'head',
): CheckpointedReader {
  const wakeUps = new OutboxWakeUps(kernel, MAIL_QUEUE);
  return {
    name,
    begins,
    concerns: (event) => tasksOf(event).length > 0,
    handle: async (page, client) => {
      for (const event of page) {
        const tasks = tasksOf(event).map((task) => ({ position: event.position, ...task }));
        if ((await addMailTasks(client, event.realmId, tasks, event.at)) > 0) wakeUps.note(event.realmId);
      }
    },
    committed: wakeUps.committed,
  };
}
