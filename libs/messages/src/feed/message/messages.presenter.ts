import type { GroupMembership } from '@annals/groups';
import { readMembership } from '@annals/groups';
import type { PositionedClientEvent, QueueProfile } from '@annals/kernel';
import { definePresenter } from '@annals/kernel';
import type { MessageId, Position, UserId } from '@annals/kernel/domain';
import type { EmailsAt, Viewer } from '@annals/users';
import { emailFor, readEmailsAt, viewerOf } from '@annals/users';
import { flagsOf } from '../../read/unread/message-flags';
import type { LoadedMessages, MessageRow } from '../../read/content/message-row';
import { loadMessages } from '../../read/content/load-messages';
import type { NonSubscriberRecipients } from '../../read/visibility/non-subscriber-recipients';
import { readNonSubscriberRecipients } from '../../read/visibility/non-subscriber-recipients';
import { sendersOf, maskInaccessibleUsers } from '../../read/content/inaccessible-users';
import type { UserAccessAtEvent } from './user-access-at-event';
import { readUserAccessAtEvents } from './user-access-at-event';
import type { MessageFormat } from '../../read/content/present-message';
import { presentMessage } from '../../read/content/present-message';
import { wasReadOnArrival } from '../../read/placement/read-on-arrival';
import type { SentPayload } from './messages.feed';
import type { RestoredMessages } from './restored-messages';
import {
  canReadRestored,
  flagsOfRestored,
  readRestoredMessages,
  restoredAlone,
  restoredPayload,
} from './restored-messages';

interface Loaded {
  readonly messages: LoadedMessages;
  readonly access: UserAccessAtEvent;
  /** Email addresses as their users had and showed them when the messages were sent. */
  readonly emailsAt: EmailsAt;
  readonly isIn: GroupMembership;
  readonly nonSubscriberRecipients: NonSubscriberRecipients;
  /** Null if no message was restored. */
  readonly restored: RestoredMessages | null;
}

const idOf = ({ payload }: PositionedClientEvent): MessageId => (payload as unknown as SentPayload).messageId;

/**
 * contract/messages.md section 3.2, realtime.md section 6.1: as the message was sent, edits follow as events. A restored
 * message is as it was right after its restoration.
 */
export const messagesPresenter = definePresenter<Loaded>({
  type: 'message',
  load: async (reader, events, listeners, guests) => {
    const { client, realmId } = reader;
    const [back, sent] = [events.filter(restoredPayload), events.filter((event) => !restoredPayload(event))];
    const restored = back.length === 0 ? null : await readRestoredMessages(reader, back, listeners);
    const messages = await loadMessages(client, realmId, sent.map(idOf), 'sent');
    const rows = [...messages.rows.values()];
    const groups = rows.flatMap(({ mentions }) => mentions.groupIds);
    const first = Math.min(...events.map(({ position }) => position)) as Position;
    const users = [messages, ...(restored ? [restored.messages] : [])];
    const senders = users.flatMap((loaded) => [...sendersOf(loaded)]);
    return {
      messages,
      restored,
      access: await readUserAccessAtEvents(reader, events, senders, guests),
      emailsAt: await readEmailsAt(
        reader,
        users.flatMap((loaded) => [...loaded.users.values()]),
        first,
      ),
      isIn: await readMembership(reader, groups, null),
      nonSubscriberRecipients: await readNonSubscriberRecipients(client, realmId, ...concerned(rows, listeners)),
    };
  },
  prepare: async (event, loaded, queue) => {
    const row = rowOf(event, loaded);
    const { rendered, realmId } = loadedFor(event, loaded);
    if (row && queue.applyMarkdown) await rendered.ahead(row.text, `events of ${realmId}`);
  },
  present: (event, loaded, queue) => {
    const row = rowFor(event, loaded, queue);
    if (!row) return [];
    const inaccessible = isInaccessible(event, row, loaded, queue) ? new Set([row.senderId]) : NOBODY;
    const message = presentMessage(
      row.id,
      maskInaccessibleUsers(asOf(event, row, loaded), inaccessible),
      formatOf(queue),
    );
    const local_message_id = localId(row, queue);
    const flags = flagsFor(event, row, loaded, queue);
    return [{ type: 'message', message, flags, ...(local_message_id !== null && { local_message_id }) }];
  },
  variant: (event, loaded, queue) => {
    const row = rowFor(event, loaded, queue);
    if (!row) return 'gone';
    const { viewer, applyMarkdown, clientGravatar, allowEmptyTopicName } = formatOf(queue);
    const people = isInaccessible(event, row, loaded, queue)
      ? 'unknown'
      : emailsIn(row, asOf(event, row, loaded), viewer);
    const flags = flagsFor(event, row, loaded, queue).join();
    return [applyMarkdown, clientGravatar, allowEmptyTopicName, flags, people, localId(row, queue) ?? ''].join(' ');
  },
});

/**
 * Channel messages whose sender or mentioned users are listeners and have not read them, with these users: they may not be
 * subscribed. All other listeners of a message were subscribed.
 */
function concerned(rows: readonly MessageRow[], listeners: readonly UserId[]): [MessageId[], UserId[]] {
  const listening = new Set(listeners);
  const [ids, users] = [new Set<MessageId>(), new Set<UserId>()];
  for (const { id, senderId, channelId, mentions, readBy } of rows) {
    if (channelId === null) continue;
    for (const user of [senderId, ...mentions.userIds]) {
      if (!listening.has(user) || user === readBy) continue;
      ids.add(id);
      users.add(user);
    }
  }
  return [[...ids], [...users]];
}

const NOBODY: ReadonlySet<UserId> = new Set();

/** The users of a conversation have access to each other. */
const isInaccessible = (
  event: PositionedClientEvent,
  { senderId }: MessageRow,
  { access }: Loaded,
  queue: QueueProfile,
) => !access(queue.userId, senderId, event);

const formatOf = (queue: QueueProfile): MessageFormat => ({
  viewer: viewerOf(queue, queue),
  applyMarkdown: queue.applyMarkdown,
  clientGravatar: queue.clientGravatar,
  allowEmptyTopicName: queue.capabilities.empty_topic_name,
});

/** The message with the email addresses that its users had when it was sent. */
function asOf(event: PositionedClientEvent, row: MessageRow, loaded: Loaded): LoadedMessages {
  const { senderId, userIds } = row;
  const known = loadedFor(event, loaded);
  const messages = known === loaded.messages ? known : restoredAlone(event, row, known);
  const people = [senderId, ...userIds].flatMap((id) => messages.users.get(id) ?? []);
  const then = people.map((user) => loaded.emailsAt(user, event.position) ?? user);
  if (then.every((user, n) => user === people[n])) return messages;
  return { ...messages, users: new Map(then.map((user) => [user.userId, user])) };
}

/** The email addresses of a message's users that a viewer sees. */
const emailsIn = ({ senderId, userIds }: MessageRow, { users }: LoadedMessages, viewer: Viewer): string =>
  [senderId, ...userIds]
    .map((id) => {
      const person = users.get(id);
      return person ? emailFor(person, viewer) : '';
    })
    .join();

/** The id that the sender's client gave its draft, for the queue that it named. */
const localId = ({ echo, senderId }: MessageRow, { queueId, userId }: QueueProfile): string | null =>
  echo?.queueId === queueId && senderId === userId ? echo.localId : null;

function flagsFor(event: PositionedClientEvent, row: MessageRow, loaded: Loaded, queue: QueueProfile): string[] {
  if (loaded.restored && restoredPayload(event)) return flagsOfRestored(event, row, loaded.restored, queue);
  const { isIn, nonSubscriberRecipients } = loaded;
  const { userId, isThroughAllPublic } = queue;
  if (isThroughAllPublic) return [];
  return flagsOf(row, {
    userId,
    basis: 'received',
    isRead: wasReadOnArrival(row, userId) || nonSubscriberRecipients(row.id, userId) || row.mutedBy.has(userId),
    isStarred: false,
    isCollapsed: false,
    isIn: (group) => isIn(group, userId, { position: row.text.position, at: row.sentAt }),
  });
}

/** Undefined after the message was deleted, which another event reports. */
const rowOf = (event: PositionedClientEvent, { messages, restored }: Loaded): MessageRow | undefined =>
  restoredPayload(event) ? restored?.rows.get(event.position) : messages.rows.get(idOf(event));

/** Undefined also for a restored message that the owner of the queue cannot read. */
function rowFor(event: PositionedClientEvent, loaded: Loaded, { userId }: QueueProfile): MessageRow | undefined {
  const { restored } = loaded;
  const isHidden = restored !== null && restoredPayload(event) && !canReadRestored(event, restored, userId);
  return isHidden ? undefined : rowOf(event, loaded);
}

const loadedFor = (event: PositionedClientEvent, { messages, restored }: Loaded): LoadedMessages =>
  restored && restoredPayload(event) ? restored.messages : messages;
