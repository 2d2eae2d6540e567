import type { MessageId, Position, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { BecameRead } from './became-read';

/*
 * Which users were notified of which messages: `pushed_messages` has a row for each, whose `first_user` is the user. A worker of
 * an earlier release, which may run beside this one, lists up to 200 users in `user_ids` of one row.
 */

/** Messages of which a user was notified, ascending. */
export interface NotifiedUser {
  readonly userId: UserId;
  readonly messageIds: readonly MessageId[];
}

/** Which of these messages may be shown on devices, or are about to be. */
export async function pushedAmong(
  client: ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
): Promise<ReadonlySet<MessageId>> {
  if (ids.length === 0) return new Set();
  const { rows } = await client.query<{ id: MessageId }>({
    name: 'push-pushed-among',
    text: `SELECT id FROM unnest($2::int8[]) AS m(id)
      WHERE EXISTS (SELECT FROM pushed_messages AS p WHERE p.realm_id = $1 AND p.message_id = m.id)
        OR EXISTS (SELECT FROM push_errands AS e WHERE e.realm_id = $1 AND e.message_id = m.id AND e.given_up IS NULL)`,
    values: [realmId, ids],
  });
  return new Set(rows.map(({ id }) => id));
}

/** An event that may have made messages read. */
export interface ReadingEvent {
  readonly position: Position;
  readonly read: BecameRead;
}

/** The oldest message of which a user was notified: a topic may be much older. */
const OLDEST_SQL = '(SELECT min(message_id) FROM pushed_messages WHERE realm_id = $1)';

const HAS_DEVICE_SQL = `EXISTS (SELECT FROM view.push_devices AS d
  WHERE d.realm_id = $1 AND d.user_id = n.user_id AND d.service_device_id IS NOT NULL)`;

/** Positions of events that may have made messages read of which users with a device were notified, or are about to be. */
export async function readAfterPush(
  client: ClientBase,
  realmId: RealmId,
  events: readonly ReadingEvent[],
): Promise<ReadonlySet<Position>> {
  const ofUsers = events.flatMap(({ position, read }) =>
    'users' in read ? read.users.map((user) => [position, user, read.first, read.last]) : [],
  );
  const inTopics = events.flatMap(({ position, read }) => ('topicId' in read ? [[position, read.topicId]] : []));
  const found = new Set<Position>();
  for (const [query, candidates, columns] of [
    [READ_BY_USERS, ofUsers, [0, 1, 2, 3]],
    [READ_IN_TOPICS, inTopics, [0, 1]],
  ] as const) {
    if (candidates.length === 0) continue;
    const values = [realmId, ...columns.map((column) => candidates.map((row) => row[column]))];
    const { rows } = await client.query<{ position: Position }>({ ...query, values });
    for (const { position } of rows) found.add(position);
  }
  return found;
}

const READ_BY_USERS = {
  name: 'push-read-by-users',
  text: `SELECT DISTINCT n.position
    FROM unnest($2::int8[], $3::int8[], $4::int8[], $5::int8[]) AS n(position, user_id, first, last)
    WHERE ${HAS_DEVICE_SQL} AND (
      EXISTS (SELECT FROM pushed_messages AS p
        WHERE p.realm_id = $1 AND p.first_user = n.user_id AND p.message_id BETWEEN n.first AND n.last)
      OR EXISTS (SELECT FROM push_errands AS e
        WHERE e.realm_id = $1 AND e.message_id BETWEEN n.first AND n.last AND e.given_up IS NULL))`,
};

const READ_IN_TOPICS = {
  name: 'push-read-in-topics',
  text: `SELECT n.position FROM unnest($2::int8[], $3::int8[]) AS n(position, topic_id)
    WHERE EXISTS (SELECT FROM view.messages AS m JOIN pushed_messages AS p USING (realm_id, message_id)
        WHERE m.realm_id = $1 AND m.topic_id = n.topic_id AND m.message_id >= ${OLDEST_SQL})
      OR EXISTS (SELECT FROM push_errands AS e JOIN view.messages AS m USING (realm_id, message_id)
        WHERE e.realm_id = $1 AND m.topic_id = n.topic_id AND e.given_up IS NULL)`,
};

/** Users who were notified of some of these messages, a page after a user id, ascending. */
export async function readNotified(
  pool: Pool,
  realmId: RealmId,
  ids: readonly MessageId[],
  after: UserId,
  limit: number,
): Promise<NotifiedUser[]> {
  const { rows } = await pool.query<StoredNotified>({
    name: 'push-notified',
    text: `SELECT u.id AS "userId", json_agg(p.message_id ORDER BY p.message_id) AS "messageIds"
      FROM pushed_messages AS p CROSS JOIN unnest(p.user_ids) AS u(id)
      WHERE p.realm_id = $1 AND p.message_id = ANY($2::int8[]) AND u.id > $3 GROUP BY u.id ORDER BY u.id LIMIT $4`,
    values: [realmId, ids, after, limit],
  });
  return rows.map(notifiedUser);
}

/** Users who were notified of messages that are now where an event may have made them read; like `readNotified`. */
export async function readNotifiedWhere(
  pool: Pool,
  realmId: RealmId,
  read: BecameRead,
  after: UserId,
  limit: number,
): Promise<NotifiedUser[]> {
  const values = [realmId, after, limit];
  const { rows } =
    'topicId' in read
      ? await pool.query<StoredNotified>({ ...IN_TOPIC, values: [...values, read.topicId] })
      : await pool.query<StoredNotified>({
          ...OF_USERS,
          values: [...values, read.users, read.first, read.last, read.channelId],
        });
  return rows.map(notifiedUser);
}

interface StoredNotified {
  readonly userId: UserId;
  readonly messageIds: string;
}

const notifiedUser = ({ userId, messageIds }: StoredNotified): NotifiedUser => ({
  userId,
  messageIds: JSON.parse(messageIds) as MessageId[],
});

const IN_TOPIC = {
  name: 'push-notified-in-topic',
  text: `SELECT p.first_user AS "userId", json_agg(p.message_id ORDER BY p.message_id) AS "messageIds"
    FROM view.messages AS m JOIN pushed_messages AS p USING (realm_id, message_id)
    WHERE m.realm_id = $1 AND m.topic_id = $4 AND m.message_id >= ${OLDEST_SQL} AND p.first_user > $2
    GROUP BY p.first_user ORDER BY p.first_user LIMIT $3`,
};

const OF_USERS = {
  name: 'push-notified-of-users',
  text: `SELECT p.first_user AS "userId", json_agg(p.message_id ORDER BY p.message_id) AS "messageIds"
    FROM unnest($4::int8[]) AS u(id)
    JOIN pushed_messages AS p ON p.realm_id = $1 AND p.first_user = u.id AND p.message_id BETWEEN $5 AND $6
    WHERE u.id > $2 AND ($7::int8 IS NULL OR EXISTS (SELECT FROM view.messages AS m
      JOIN view.topics AS t USING (realm_id, topic_id)
      WHERE m.realm_id = $1 AND m.message_id = p.message_id AND t.channel_id = $7))
    GROUP BY p.first_user ORDER BY p.first_user LIMIT $3`,
};

/** Whether earlier tasks may still notify users of messages that are where an event may have made them read. */
export async function haveEarlierTasksWhere(
  pool: Pool,
  { realmId, position }: ReadingTask,
  read: BecameRead,
): Promise<boolean> {
  const values = [realmId, position];
  const { rows } =
    'topicId' in read
      ? await pool.query({
          name: 'push-under-way-in-topic',
          text: `SELECT FROM push_errands AS e JOIN view.messages AS m USING (realm_id, message_id)
            WHERE e.realm_id = $1 AND m.topic_id = $3 AND e.position < $2 AND e.given_up IS NULL LIMIT 1`,
          values: [...values, read.topicId],
        })
      : await pool.query({
          name: 'push-under-way-between',
          text: `SELECT FROM push_errands
            WHERE realm_id = $1 AND message_id BETWEEN $3 AND $4 AND position < $2 AND given_up IS NULL LIMIT 1`,
          values: [...values, read.first, read.last],
        });
  return rows.length > 0;
}

interface ReadingTask {
  readonly realmId: RealmId;
  readonly position: Position;
}

/** Those of some users who were notified of a message. */
export async function notifiedAmong(
  pool: Pool,
  realmId: RealmId,
  id: MessageId,
  people: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  const { rows } = await pool.query<{ id: UserId }>({
    name: 'push-notified-among',
    text: `SELECT DISTINCT u.id FROM pushed_messages AS p CROSS JOIN unnest(p.user_ids) AS u(id)
      WHERE p.realm_id = $1 AND p.message_id = $2 AND u.id = ANY($3::int8[])`,
    values: [realmId, id, people],
  });
  return new Set(rows.map((row) => row.id));
}

/** Deletes the records of notifications of messages, for all users. */
export async function deleteNotified(pool: Pool, realmId: RealmId, ids: readonly MessageId[]): Promise<void> {
  await pool.query({
    name: 'push-delete-notified',
    text: 'DELETE FROM pushed_messages WHERE realm_id = $1 AND message_id = ANY($2::int8[])',
    values: [realmId, ids],
  });
}

/** Deletes the records of notifications of messages, for these users. */
export async function deleteNotifiedUsers(
  pool: Pool,
  realmId: RealmId,
  notified: readonly NotifiedUser[],
): Promise<void> {
  const pairs = notified.flatMap(({ userId, messageIds }) => messageIds.map((id) => ({ userId, id })));
  if (pairs.length === 0) return;
  await pool.query({
    name: 'push-delete-notified-users',
    text: `DELETE FROM pushed_messages AS p USING unnest($2::int8[], $3::int8[]) AS n(user_id, message_id)
      WHERE p.realm_id = $1 AND p.first_user = n.user_id AND p.message_id = n.message_id
        AND cardinality(p.user_ids) = 1`,
    values: [realmId, pairs.map(({ userId }) => userId), pairs.map(({ id }) => id)],
  });
}
