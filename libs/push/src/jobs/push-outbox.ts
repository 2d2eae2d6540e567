import type { CheckpointedReader, Kernel } from '@annals/kernel';
import type { MessageId, RealmId, Recorded } from '@annals/kernel/domain';
import type { ContentEdited, MessageSent, MessagesDeleted } from '@annals/messages/events';
import type { Bouncer } from '../application/bouncer';
import { RegistrationAsked } from '../domain/events';
import type { PushTaskKind, NewPushTask } from './push-outbox-rows';
import { addTasks, pushedAmong } from './push-outbox-rows';

/** The job queue that wakes the dispatcher. */
export const QUEUE = 'push';

const KINDS: Readonly<Record<string, PushTaskKind>> = {
  [RegistrationAsked.type]: 'registration',
  'messages.MessageSent': 'message',
  'messages.ContentEdited': 'edit',
  'messages.MessagesDeleted': 'removal',
};

/**
 * Reads the log and adds tasks to the outbox. They commit with the checkpoint. The job only wakes the dispatcher, which
 * also looks every second.
 */
export function pushOutbox(kernel: Kernel, { isConfigured }: Pick<Bouncer, 'isConfigured'>): CheckpointedReader {
  const noted = new Map<RealmId, true>();
  return {
    name: 'push-errands',
    // A registration may be asked for before any worker has been there; of what was said before, nobody can be notified.
    begins: 'beginning',
    // An api that knows the service may be there before a worker that does: a registration waits for it.
    hears: ({ type }) => type === RegistrationAsked.type || (isConfigured && type in KINDS),
    handle: async (page, client) => {
      const [first] = page;
      const candidates = page.filter(({ type }) => type === RegistrationAsked.type || (isConfigured && type in KINDS));
      if (!first || candidates.length === 0) return;
      const { realmId } = first;
      const deletions = candidates.filter(isDeletion);
      // Messages of this very page are not noted yet when it is asked what is to be taken back: they are noted first.
      const others = candidates.filter((event) => !isDeletion(event) && !isSilentEdit(event)).map(taskOf);
      let count = others.length === 0 ? 0 : await addTasks(client, realmId, others);
      const pushed = await pushedAmong(
        client,
        realmId,
        deletions.flatMap(({ data }) => data.messageIds),
      );
      const removals = deletions.filter(({ data }) => data.messageIds.some((id) => pushed.has(id))).map(taskOf);
      if (removals.length > 0) count += await addTasks(client, realmId, removals);
      if (count > 0) noted.set(realmId, true);
    },
    committed: (realmId, position) => {
      if (noted.delete(realmId)) void wake(kernel, realmId, position);
    },
  };
}

/** Never fails: the dispatcher looks for missed tasks itself. */
async function wake(kernel: Kernel, realmId: RealmId, position: number): Promise<void> {
  const queues = await kernel.queues();
  await queues.wake(QUEUE, realmId, position);
}

const isDeletion = (event: Recorded): event is Recorded<MessagesDeleted> => event.type === 'messages.MessagesDeleted';

const taskOf = (event: Recorded): NewPushTask => {
  const { type, position, at } = event;
  const isOrdinary = isSent(event)
    ? 'channelId' in event.data.place && mentionsFew(event)
    : isEdit(event) && mentionsFew(event);
  return { position, at, kind: KINDS[type] ?? 'message', messageId: messageOf(event), isOrdinary };
};

/** The message that an event notifies of. */
function messageOf(event: Recorded): MessageId | null {
  if (isEdit(event)) return event.data.messageId;
  return isSent(event) ? (event.position as number as MessageId) : null;
}

const isSent = (event: Recorded): event is Recorded<MessageSent> => event.type === 'messages.MessageSent';
const isEdit = (event: Recorded): event is Recorded<ContentEdited> => event.type === 'messages.ContentEdited';

const mentionsFew = ({ data: { mentions } }: Recorded<MessageSent | ContentEdited>): boolean =>
  !mentions.channelWildcard && !mentions.topicWildcard && mentions.groupIds.length === 0;

/** An edit without mentions, which notifies nobody. */
const isSilentEdit = (event: Recorded): boolean =>
  isEdit(event) && mentionsFew(event) && event.data.mentions.userIds.length === 0;
