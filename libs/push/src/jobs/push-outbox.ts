import type { CheckpointedReader, Kernel } from '@annals/kernel';
import { OutboxWakeUps } from '@annals/kernel';
import type { MessageId, RealmId, Recorded } from '@annals/kernel/domain';
import { messageIdAt } from '@annals/kernel/domain';
import type { ContentEdited, MessageSent, MessagesDeleted } from '@annals/messages/events';
import type { ClientBase } from 'pg';
import type { Bouncer } from '../application/bouncer';
import { RegistrationAsked } from '../domain/events';
import type { NewPushTask, PushTaskKind } from './push-outbox-rows';
import { READING_EVENTS, becameRead } from './became-read';
import { pushedAmong, readAfterPush } from './notified-rows';
import { addTasks } from './push-outbox-rows';

/** The job queue that wakes the dispatcher. */
export const PUSH_QUEUE = 'push';

const KINDS: Readonly<Record<string, PushTaskKind>> = {
  [RegistrationAsked.type]: 'registration',
  'messages.MessageSent': 'message',
  'messages.ContentEdited': 'edit',
  'messages.MessagesDeleted': 'removal',
  ...Object.fromEntries(READING_EVENTS.map((type) => [type, 'read'])),
};

/**
 * Reads the log and adds tasks to the outbox. They commit with the checkpoint. The job only wakes the dispatcher, which
 * also reads them every second.
 */
export function pushOutbox(kernel: Kernel, { isConfigured }: Pick<Bouncer, 'isConfigured'>): CheckpointedReader {
  const wakeUps = new OutboxWakeUps(kernel, PUSH_QUEUE);
  const isCandidate = ({ type }: Recorded) => type === RegistrationAsked.type || (isConfigured && type in KINDS);
  return {
    name: 'push-errands',
    // A registration may be requested before any worker has run. Nobody can be notified of messages from before it.
    begins: 'beginning',
    // An api with a push service may run before a worker with one: a registration waits for it.
    concerns: isCandidate,
    handle: async (page, client) => {
      const [first] = page;
      const candidates = page.filter(isCandidate);
      if (!first || candidates.length === 0) return;
      const { realmId } = first;
      // Messages of this page are first, because withdrawals look for their tasks.
      const notifying = candidates.filter((event) => !isWithdrawal(event) && !isSilentEdit(event));
      let count = await add(client, realmId, notifying);
      count += await add(client, realmId, await withdrawing(client, realmId, candidates));
      if (count > 0) wakeUps.note(realmId);
    },
    committed: wakeUps.committed,
  };
}

const add = (client: ClientBase, realmId: RealmId, events: readonly Recorded[]): Promise<number> =>
  events.length === 0 ? Promise.resolve(0) : addTasks(client, realmId, events.map(taskOf));

/** Those events that deleted messages, or made them read, of which users were notified or are about to be. */
async function withdrawing(client: ClientBase, realmId: RealmId, events: readonly Recorded[]): Promise<Recorded[]> {
  const deletions = events.filter(isDeletion);
  const deleted = deletions.flatMap(({ data }) => data.messageIds);
  const pushed = await pushedAmong(client, realmId, deleted);
  const reading = events.flatMap((event) => {
    const read = becameRead(event);
    return read ? [{ position: event.position, read }] : [];
  });
  const read = await readAfterPush(client, realmId, reading);
  return [
    ...deletions.filter(({ data }) => data.messageIds.some((id) => pushed.has(id))),
    ...events.filter(({ position }) => read.has(position)),
  ];
}

const isWithdrawal = ({ type }: Recorded): boolean => KINDS[type] === 'removal' || KINDS[type] === 'read';

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
  return isSent(event) ? messageIdAt(event.position) : null;
}

const isSent = (event: Recorded): event is Recorded<MessageSent> => event.type === 'messages.MessageSent';
const isEdit = (event: Recorded): event is Recorded<ContentEdited> => event.type === 'messages.ContentEdited';

const mentionsFew = ({ data: { mentions } }: Recorded<MessageSent | ContentEdited>): boolean =>
  !mentions.channelWildcard && !mentions.topicWildcard && mentions.groupIds.length === 0;

/** An edit without mentions, which notifies nobody. */
const isSilentEdit = (event: Recorded): boolean =>
  isEdit(event) && mentionsFew(event) && event.data.mentions.userIds.length === 0;
