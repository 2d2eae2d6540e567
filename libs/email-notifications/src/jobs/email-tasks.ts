import type { CheckpointedReader, Kernel } from '@annals/kernel';
import { OutboxWakeUps } from '@annals/kernel';
import type { Recorded } from '@annals/kernel/domain';
import { messageIdAt } from '@annals/kernel/domain';
import type { ContentEdited, MessageSent } from '@annals/messages/events';
import type { NewEmailTask } from './email-task-rows';
import { addEmailTasks } from './email-task-rows';

/** The job queue that wakes the worker for mails about messages. */
export const EMAIL_QUEUE = 'email-notifications';

/**
 * Reads the log and adds a task for each message that may be missed by somebody, and for each edit that mentions somebody. They commit
 * with the checkpoint. Nobody gets mails about messages from before the first start.
 */
export function emailTasks(kernel: Kernel): CheckpointedReader {
  const wakeUps = new OutboxWakeUps(kernel, EMAIL_QUEUE);
  return {
    name: 'email-notification-tasks',
    begins: 'head',
    concerns: (event) => isSent(event) || isMentioningEdit(event),
    handle: async (page, client) => {
      const [first] = page;
      if (!first) return;
      const added = await addEmailTasks(client, first.realmId, page.flatMap(taskOf));
      if (added > 0) wakeUps.note(first.realmId);
    },
    committed: wakeUps.committed,
  };
}

function taskOf(event: Recorded): NewEmailTask[] {
  const { position, at } = event;
  if (isSent(event)) {
    return [{ position, at, messageId: messageIdAt(position), isEdit: false, isOrdinary: mentionsFew(event) }];
  }
  if (!isMentioningEdit(event)) return [];
  return [{ position, at, messageId: event.data.messageId, isEdit: true, isOrdinary: mentionsFew(event) }];
}

const isSent = (event: Recorded): event is Recorded<MessageSent> => event.type === 'messages.MessageSent';

/** Other edits give nobody a reason for a mail. */
const isMentioningEdit = (event: Recorded): event is Recorded<ContentEdited> =>
  event.type === 'messages.ContentEdited' &&
  (!mentionsFew(event as Recorded<ContentEdited>) ||
    (event as Recorded<ContentEdited>).data.mentions.userIds.length > 0);

const mentionsFew = ({ data: { mentions } }: Recorded<MessageSent | ContentEdited>): boolean =>
  !mentions.channelWildcard && !mentions.topicWildcard && mentions.groupIds.length === 0;
