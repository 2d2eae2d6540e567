import type { FeedReader } from '@annals/kernel';
import { defineFeed, translate } from '@annals/kernel';
import type {
  Audience,
  ChannelId,
  ClientEvent,
  MessageId,
  Position,
  Recorded,
  TopicId,
  UserId,
} from '@annals/kernel/domain';
import { ascending, grouped } from '@annals/kernel/domain';
import { MessagesDeleted } from '../domain/events';
import { topicKey } from '../domain/topic';
import type { Recipients } from '../read/history/recipients';
import { readHistoricRecipients } from '../read/history/recipients';
import { readTopicHistory } from '../read/history/topic-history';
import { recipientsAudience, subscribersAndReadersAmong } from './audiences';

/** Payload of `delete_message` events. */
export interface DeletedPayload {
  /** Ascending. */
  readonly messageIds: readonly MessageId[];
  /** Null for direct messages, like the channel. */
  readonly topicId: TopicId | null;
  readonly channelId: ChannelId | null;
  /** The topic has the name that it had right after this event. */
  readonly at: Position;
  /** Where history is protected: positions at which the messages arrived in the channel, in the order of their ids. */
  readonly arrived?: readonly Position[];
}

/** The messages that one request deleted in one conversation or topic; letter cases of a name are one topic. */
interface Deletion extends DeletedPayload {
  readonly actorId: UserId | null;
  /** Of direct messages: the users of the conversation. */
  readonly userIds: readonly UserId[];
}

/** By the position of the first event of a deletion: the deletion and, for channel messages, their recipients. */
type Facts = ReadonlyMap<Position, { readonly deletion: Deletion; readonly copies: Recipients }>;

/** Deletions, for users who could read the messages (contract/messages.md section 6.3). */
export const deletionsFeed = defineFeed<Facts>({
  name: 'deletions',
  facts: async (reader, events) => {
    const deletions = await readDeletions(reader, events as readonly Recorded<MessagesDeleted>[]);
    const happened = deletions.flatMap(({ messageIds, channelId, at }) =>
      channelId === null ? [] : [{ messageIds, channelId, position: at }],
    );
    const copies = await readHistoricRecipients(reader, happened);
    const byPosition = new Map(happened.map(({ position }, n) => [position, copies[n] ?? NO_COPIES]));
    return new Map(
      deletions.map((deletion) => [deletion.at, { deletion, copies: byPosition.get(deletion.at) ?? NO_COPIES }]),
    );
  },
  translations: [translate(MessagesDeleted, toEvents)],
});

const NO_COPIES: Recipients = { users: [], sentTo: new Map() };

async function readDeletions(
  reader: FeedReader,
  events: readonly Recorded<MessagesDeleted>[],
): Promise<readonly Deletion[]> {
  const requests = grouped(events, ({ commandId }) => commandId);
  const together = [...requests.values()].filter(({ length }) => length > 1).flat();
  const topics = together.flatMap(({ data: { place } }) => ('topicId' in place ? [place.topicId] : []));
  const topicAt = await readTopicHistory(reader.client, reader.realmId, topics);
  const conversations = grouped(events, ({ commandId, position, data: { place } }) => {
    if (!('topicId' in place)) return `${commandId} ${place.conversationId}`;
    const name = topicAt(place.topicId, position)?.topic;
    return `${commandId} ${place.channelId} ${name === undefined ? place.topicId : `"${topicKey(name)}"`}`;
  });
  return [...conversations.values()].flatMap(deletionOf);
}

/** @param facts in the order of the log */
function deletionOf(facts: readonly Recorded<MessagesDeleted>[]): Deletion[] {
  const [first] = facts;
  if (!first) return [];
  const { place } = first.data;
  const gone = facts
    .flatMap(({ data }) => data.messageIds.map((id, n) => ({ id, arrived: data.arrived?.[n] as Position | undefined })))
    .sort((a, b) => a.id - b.id);
  return [
    {
      messageIds: gone.map(({ id }) => id),
      topicId: 'topicId' in place ? place.topicId : null,
      channelId: 'topicId' in place ? place.channelId : null,
      at: first.position,
      ...(first.data.arrived && { arrived: gone.flatMap(({ arrived }) => arrived ?? []) }),
      actorId: first.actorId,
      userIds: 'topicId' in place ? [] : place.userIds,
    },
  ];
}

function toEvents({ position }: Recorded<MessagesDeleted>, facts: Facts): ClientEvent[] {
  const found = facts.get(position);
  if (!found) return [];
  const { actorId, userIds, ...payload } = found.deletion;
  const audience: Audience =
    payload.channelId === null
      ? { kind: 'users', users: userIds }
      : audienceIn(payload.channelId, actorId, found.copies, payload.arrived);
  return [{ type: 'delete_message', audience, payload }];
}

/**
 * Subscribers, and those of the recipients and the actor who can read the channel. Where history is protected, the presenter
 * leaves out messages that a user never had access to.
 */
function audienceIn(
  channel: ChannelId,
  actor: UserId | null,
  copies: Recipients,
  arrived: readonly Position[] = [],
): Audience {
  const others: Audience = {
    kind: 'any',
    of: [
      recipientsAudience(copies),
      { kind: 'members-at', channel, positions: ascending(arrived) },
      { kind: 'users', users: actor === null ? [] : [actor] },
    ],
  };
  return subscribersAndReadersAmong(channel, others);
}
