import type { ChannelPrivacy, Reader } from '@annals/channels';
import type { ChannelId, Instant, MessageId, Position, RealmId, Span, TopicId, UserId } from '@annals/kernel/domain';
import { covers } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';
import { SERVER_CLIENT } from '../../domain/restoration';
import type { MessageSent } from '../../domain/events';
import { sentData } from '../../domain/message/stored-data';
import { absentSince, readAbsences } from '../history/absences';
import { readPlacements } from '../history/timeline/placements';
import type { VisibilityFacts, ReaderFacts } from '../visibility/visibility';
import { isReceived, isVisible } from '../visibility/visibility';
import type { PastReading } from './past-reading';

/** A message that existed at a moment, where it was then. */
export interface PastMessage extends VisibilityFacts {
  readonly topicId: TopicId | null;
  /** Of a direct message: everybody in the conversation, ascending. */
  readonly userIds: readonly UserId[];
  readonly sent: MessageSent['data'];
  readonly sentAt: Instant;
  readonly client: string;
  /** The topic where it is today, or was when it was deleted. */
  readonly lastTopicId: TopicId | null;
  /** Whether the account could read it then, and today if that counts. */
  readonly isReadable: boolean;
  /** Whether the account had received it. */
  readonly isReceived: boolean;
}

/** A message as it was sent. */
export interface SentMessage {
  readonly id: MessageId;
  readonly data: MessageSent['data'];
  readonly at: Instant;
  readonly client: string;
}

/**
 * Reads messages as they were at a moment, in the order of the ids. Those that did not exist then are left out. The rule
 * of today (`isVisible`) decides who could read them, with what held then: the place of the message, the privacy of the
 * channel, the role, groups and subscriptions of the account. The same rule decides again with what holds today.
 */
export async function readPastMessages(reading: PastReading, ids: readonly MessageId[]): Promise<PastMessage[]> {
  const { client, realmId } = reading.reader;
  const { existing, absences } = await readExistingThen(client, realmId, ids, reading.position);
  if (existing.length === 0) return [];
  const inChannels = existing.filter(({ data }) => 'channelId' in data.place).map(({ id }) => id);
  const placements = await readPlacements(client, realmId, inChannels);
  await reading.know(placements.channels);
  return existing.map((one) => {
    // A deleted message is no more in a place today. It counts where it was at last.
    const last = ((absentSince(absences.get(one.id)) ?? Infinity) - 1) as Position;
    const placedAt = (position: Position): VisibilityFacts & { readonly topicId: TopicId | null } => ({
      ...commonOf(one),
      channelId: placements.channelAt(one.id, position) ?? null,
      topicId: placements.topicAt(one.id, position) ?? null,
      arrived: placements.arrivedAt(one.id, position),
    });
    const [then, today] = [placedAt(reading.position), placedAt(last)];
    return { ...then, ...detailsOf(one), lastTopicId: today.topicId, ...accessTo(reading, one, then, today) };
  });
}

const commonOf = ({ id, data: { senderId, place } }: SentMessage) => ({
  id,
  senderId,
  sentChannelId: 'channelId' in place ? place.channelId : null,
  conversationId: 'conversationId' in place ? place.conversationId : null,
});

const detailsOf = ({ data, at, client }: SentMessage) => ({
  userIds: 'userIds' in data.place ? data.place.userIds : [],
  sent: data,
  sentAt: at,
  client: data.notice ? SERVER_CLIENT : client,
});

function accessTo(reading: PastReading, sent: SentMessage, then: VisibilityFacts, today: VisibilityFacts) {
  const { today: reader } = reading;
  const atThen = factsOf(reading.then, sent, (channel) => reading.spansThen(channel));
  const isReadableThen = isVisible(
    then,
    privacyOf(then, (id) => reading.channel(id).then),
    atThen,
  );
  const isReadableToday =
    reader === null ||
    isVisible(
      today,
      privacyOf(today, (id) => reading.channel(id).now),
      factsOf(reader, sent, (channel) => reading.spansToday(channel)),
    );
  return { isReadable: isReadableThen && isReadableToday, isReceived: isReceived(then, atThen) };
}

const privacyOf = (
  { channelId }: VisibilityFacts,
  channel: (id: ChannelId) => ChannelPrivacy | undefined,
): ChannelPrivacy | null => (channelId === null ? null : (channel(channelId) ?? null));

const factsOf = (
  reader: Reader,
  { data: { mentions, place } }: SentMessage,
  spansIn: (channel: ChannelId) => readonly Span[],
): ReaderFacts => ({
  reader,
  spansIn,
  isIn: () => 'userIds' in place && place.userIds.includes(reader.userId),
  isMentionedBy: () => mentions.userIds.includes(reader.userId),
});

/** Reads messages that existed at a position, in the order of the ids, and when messages of these ids were absent. */
export async function readExistingThen(
  client: ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
  position: Position,
): Promise<{
  readonly existing: readonly SentMessage[];
  readonly absences: ReadonlyMap<MessageId, readonly Span[]>;
}> {
  const asked = ids.filter((id) => (id as number) <= position);
  if (asked.length === 0) return { existing: [], absences: new Map() };
  const sent = await readSent(client, realmId, asked);
  const absences = await readAbsences(client, realmId, asked);
  const existing = asked.flatMap((id) => {
    const one = sent.get(id);
    return one && !covers(absences.get(id) ?? [], position) ? one : [];
  });
  return { existing, absences };
}

async function readSent(
  client: ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
): Promise<ReadonlyMap<MessageId, SentMessage>> {
  const { rows } = await client.query<Omit<SentMessage, 'data'> & { data: string }>({
    name: 'messages-past-sent',
    text: `SELECT position AS id, data::text AS data, at, client FROM events
      WHERE realm_id = $1 AND position = ANY($2::int8[]) AND type = 'messages.MessageSent'`,
    values: [realmId, ids],
  });
  return new Map(rows.map(({ data, ...row }) => [row.id, { ...row, data: sentData(data) }]));
}
