import { readMembership } from '@annals/groups';
import type { MessageId, TopicId, UserId } from '@annals/kernel/domain';
import { topicKey } from '../../../domain/topic';
import { RESOLVED_PREFIX } from '../../../domain/move/resolving';
import { SENT_DURING_SQL } from '../../visibility/visibility';
import type { MaybeMatches } from './past-candidates';
import type { PastMessage } from '../past-messages';
import type { PastReading } from '../past-reading';
import type { PastText } from '../past-texts';
import { readPastTexts } from '../past-texts';

/** Whether messages matched a term at the moment. Reads what it needs once for all of them. */
export type PastTest = (
  reading: PastReading,
  messages: readonly PastMessage[],
) => Promise<(message: PastMessage) => boolean>;

/** A term as a test, with a condition by which its messages are found faster. */
export interface TestedTerm {
  readonly test: PastTest;
  readonly maybe: MaybeMatches | null;
}

/** A test of what the message itself says. */
export const testOf =
  (matches: (message: PastMessage) => boolean): PastTest =>
  () =>
    Promise.resolve(matches);

export const negated =
  (test: PastTest): PastTest =>
  async (reading, messages) => {
    const matches = await test(reading, messages);
    return (message) => !matches(message);
  };

/** Tests the name that the topic of the message had. */
export const topicTest =
  (matches: (name: string) => boolean): PastTest =>
  async (reading, messages) => {
    await reading.knowTopics(messages.flatMap(({ topicId }) => topicId ?? []));
    const nameOf = (id: TopicId | null) => (id === null ? undefined : reading.topic(id)?.topic);
    return ({ topicId }) => {
      const name = nameOf(topicId);
      return name !== undefined && matches(name);
    };
  };

export const topicNamed = (name: string): PastTest => topicTest((one) => topicKey(one) === topicKey(name));
export const isResolvedTest: PastTest = topicTest((name) => name.startsWith(RESOLVED_PREFIX));

/** Tests the text that the message had. */
const textTest =
  (matches: (text: PastText, message: PastMessage) => boolean): PastTest =>
  async (reading, messages) => {
    const ids = messages.map(({ id }) => id);
    const texts = await readPastTexts(reading.reader, ids, reading.position);
    return (message) => {
      const text = texts.get(message.id);
      return text !== undefined && matches(text, message);
    };
  };

/** What the row says now is true of the past unless the message was edited. */
const orEdited = (condition: string): string => `${condition} OR m.edited_at IS NOT NULL`;

const FACTS = { link: 'hasLink', image: 'hasImage', attachment: 'hasAttachment' } as const;
const COLUMNS = { link: 'm.has_link', image: 'm.has_image', attachment: 'm.has_attachment' } as const;

/** The text had a link, an image or a file. */
export const hasTerm = (what: keyof typeof FACTS): TestedTerm => ({
  test: textTest(({ facts }) => facts[FACTS[what]]),
  maybe: () => orEdited(COLUMNS[what]),
});

const mentionsSql = (user: string): string => `EXISTS (SELECT FROM view.mentions AS n
  WHERE n.realm_id = m.realm_id AND n.message_id = m.message_id AND n.user_id = ${user})`;

/** The text mentioned a user by name. */
export const mentionsTerm = (user: UserId): TestedTerm => ({
  test: textTest(({ facts }) => facts.mentions.userIds.includes(user)),
  maybe: (parameter) => orEdited(mentionsSql(`${parameter(user)}::int8`)),
});

/** The account received the message, which had one of its alert words when its text was written. */
export const alertedTerm = (user: UserId): TestedTerm => ({
  test: textTest(({ facts }, { isReceived }) => isReceived && (facts.mentions.alertedIds?.includes(user) ?? false)),
  maybe: () => orEdited('m.alerted_users IS NOT NULL'),
});

/** The account received the message, and its text mentioned it: by name, as a member of a group, or by a wildcard. */
export const mentionedTerm = (user: UserId): TestedTerm => ({
  test: async (reading, messages) => {
    const ids = messages.flatMap(({ id, isReceived }) => (isReceived ? id : []));
    const texts = await readPastTexts(reading.reader, ids, reading.position);
    const groups = [...texts.values()].flatMap(({ facts }) => facts.mentions.groupIds);
    const wasIn = await readMembership(reading.reader, groups, [user]);
    return ({ id }) => {
      const found = texts.get(id);
      if (!found) return false;
      const { userIds, groupIds, channelWildcard, participantIds } = found.facts.mentions;
      if (channelWildcard || userIds.includes(user) || (participantIds?.includes(user) ?? false)) return true;
      return groupIds.some((group) => wasIn(group, user, { position: found.text.position, at: found.at }));
    };
  },
  maybe: (parameter) =>
    orEdited(`${mentionsSql(`${parameter(user)}::int8`)} OR m.mentioned_groups IS NOT NULL OR m.channel_wildcard
      OR m.topic_participants IS NOT NULL`),
});

/**
 * The message may have arrived for the account in a channel with protected history: the account was subscribed when it was sent,
 * sent it or was mentioned; or the message or its topic was moved, so that other positions count.
 */
export const maybeArrived =
  (user: UserId): MaybeMatches =>
  (parameter) => {
    const id = `${parameter(user)}::int8`;
    return `m.sender_id = ${id} OR m.arrived <> m.message_id
      OR EXISTS (SELECT FROM view.memberships AS s WHERE s.realm_id = m.realm_id AND s.user_id = ${id}
        AND s.channel_id = m.sent_channel_id AND ${SENT_DURING_SQL})
      OR EXISTS (SELECT FROM view.mentioned_when_sent AS n
        WHERE n.realm_id = m.realm_id AND n.message_id = m.message_id AND n.user_id = ${id})
      OR EXISTS (SELECT FROM view.topic_stays AS y WHERE y.realm_id = m.realm_id AND y.topic_id = m.topic_id)`;
  };

/** The message had a reaction. */
export const hasReactionTerm: TestedTerm = {
  test: async ({ reader: { client, realmId }, position }, messages) => {
    const { rows } = await client.query<{ id: MessageId }>({
      name: 'messages-past-with-reactions',
      text: `SELECT DISTINCT message_id AS id FROM view.reactions
        WHERE realm_id = $1 AND message_id = ANY($2::int8[]) AND added_position <= $3
          AND (removed_position IS NULL OR removed_position > $3)`,
      values: [realmId, messages.map(({ id }) => id), position],
    });
    const reacted = new Set(rows.map(({ id }) => id));
    return ({ id }) => reacted.has(id);
  },
  maybe: () => `EXISTS (SELECT FROM view.reactions AS w
    WHERE w.realm_id = m.realm_id AND w.message_id = m.message_id AND w.added_position <= $2)`,
};

/**
 * The message is in the combined feed of the account: it received it or had flagged it, or the channel had protected history
 * (`RECEIVED_OR_ARRIVED_SQL`).
 */
export const isOwn: PastTest = async (reading, messages) => {
  const { reader, userId, position } = reading;
  const { client, realmId } = reader;
  const others = messages.filter(({ isReceived }) => !isReceived);
  const { rows } = await client.query<{ id: MessageId }>({
    name: 'messages-past-flagged',
    text: `SELECT message_id AS id FROM view.personal_flags
      WHERE realm_id = $1 AND user_id = $2 AND message_id = ANY($3::int8[]) AND since <= $4`,
    values: [realmId, userId, others.map(({ id }) => id), position],
  });
  const flagged = new Set(rows.map(({ id }) => id));
  return ({ id, isReceived, channelId }) =>
    isReceived || flagged.has(id) || (channelId !== null && reading.isProtected(channelId));
};
