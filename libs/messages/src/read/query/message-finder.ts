import { READER, readerValues } from '@annals/channels';
import { Kernel } from '@annals/kernel';
import type { Actor, Instant, MessageId, RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { readImplicitReads } from '../history/implicit-reads';
import type { Selection } from '../narrow/selection';
import { sentSince } from '../placement/sent-since';
import { MAYBE_UNREAD_SQL } from '../unread/unread-sql';
import { PLACE_JOIN, VISIBLE_SQL } from '../visibility/visibility';

/** Ids between two others, which are not among them. */
export interface Between {
  readonly after: number;
  readonly before: number;
}

/** What to look for, from which end, and how many. */
export interface Wanted {
  readonly selection: Selection;
  readonly between: Between;
  readonly order: 'newest first' | 'oldest first';
  readonly limit: number;
}

/** Positions looked through first; each further look takes a stretch this many times longer. */
const FIRST_STRETCH = 4_000;
const GROWTH = 8;
/** Most messages looked at together for the first unread one. */
const LONGEST_PAGE = 4_096;

/** Finds messages that somebody may see, by walking indexes from one end until there are enough. */
@Injectable()
export class MessageFinder {
  constructor(private readonly kernel: Kernel) {}

  /** @returns ids in the order that was wanted */
  async find(by: Actor, wanted: Wanted): Promise<MessageId[]> {
    if (wanted.limit === 0) return [];
    return wanted.selection.source === 'seen' ? this.seen(by, wanted) : this.received(by, wanted);
  }

  /** Which of these messages the account may see, ascending. */
  async visible(by: Actor, selection: Selection, ids: readonly number[]): Promise<MessageId[]> {
    const conditions = [...selection.conditions, `m.message_id = ANY($${6 + selection.values.length}::int8[])`];
    const { rows } = await this.kernel.database.pool.query<{ message_id: MessageId }>({
      text: `SELECT m.message_id FROM ${READER} CROSS JOIN view.messages AS m ${PLACE_JOIN}
        WHERE m.realm_id = $1 AND ${conditions.join(' AND ')} AND ${VISIBLE_SQL} ORDER BY m.message_id`,
      values: [...readerValues(by), ...selection.values, ids],
    });
    return rows.map((row) => row.message_id);
  }

  /**
   * The oldest message of a selection that the account has not read. What travelled is only known to be unread once its
   * journey was followed, so the walk goes in pages. They begin small, as the first message mostly is the one, and grow
   * up to a length that bounds memory: somebody may have parted from a million messages before that one.
   */
  async firstUnread(by: Actor, { conditions, values }: Selection): Promise<MessageId | undefined> {
    const unread = [...conditions, MAYBE_UNREAD_SQL];
    const selection: Selection = { source: 'received', within: null, conditions: unread, values };
    const before = Number.MAX_SAFE_INTEGER;
    for (let [after, limit] = [0, 1]; ; limit = Math.min(limit * GROWTH, LONGEST_PAGE)) {
      const ids = await this.received(by, { selection, between: { after, before }, order: 'oldest first', limit });
      const parted = await readImplicitReads(this.kernel.database.pool, by.realmId, ids, [by.userId]);
      const first = ids.find((id) => parted(id, by.userId) === undefined);
      if (first !== undefined || ids.length < limit) return first;
      after = ids[limit - 1] ?? before;
    }
  }

  /** The id from which on messages were sent at a time or later. */
  async sentSince(realmId: RealmId, at: Instant): Promise<number> {
    const { fence, database } = this.kernel;
    return sentSince(database.pool, realmId, await fence.reach(realmId), at);
  }

  private async seen(by: Actor, { selection, between, order, limit }: Wanted): Promise<MessageId[]> {
    const { conditions, values, within } = selection;
    const next = 6 + values.length;
    const page = (condition: string) => `SELECT m.message_id FROM ${READER} CROSS JOIN view.messages AS m ${PLACE_JOIN}
      WHERE ${['m.realm_id = $1', ...conditions].join(' AND ')} AND ${VISIBLE_SQL} AND ${condition}
        AND m.message_id > $${next}::int8 AND m.message_id < $${next + 1}::int8
      ORDER BY m.message_id ${direction(order)} LIMIT $${next + 2}`;
    const { rows } = await this.kernel.database.pool.query<{ message_id: MessageId }>({
      text: within === null ? page('true') : inChannel(page, `$${next + 3}::int8`, order, `$${next + 2}`),
      values: [...readerValues(by), ...values, between.after, between.before, limit, ...(within ? [within] : [])],
    });
    return rows.map((row) => row.message_id);
  }

  /**
   * What somebody received lies scattered among what others did. It is gathered by channel and conversation within a
   * stretch of the log; when that does not yield enough, within a longer one after it. So neither many channels nor a
   * long log make it slow.
   */
  private async received(by: Actor, { selection, between, order, limit }: Wanted): Promise<MessageId[]> {
    const head = await this.kernel.fence.reach(by.realmId);
    const [first, last] = [Math.max(between.after, 0), Math.min(between.before, head + 1)];
    const found: MessageId[] = [];
    let stretch = Math.max(FIRST_STRETCH, GROWTH * limit);
    let [after, before] = [first, last];
    while (found.length < limit && before - after > 1) {
      const part =
        order === 'newest first'
          ? { after: Math.max(after, before - stretch), before }
          : { after, before: Math.min(before, after + stretch) };
      found.push(...(await this.receivedWithin(by, selection, part, order, limit - found.length)));
      if (order === 'newest first') before = part.after + 1;
      else after = part.before - 1;
      stretch *= GROWTH;
    }
    return found;
  }

  private async receivedWithin(
    by: Actor,
    { conditions, values }: Selection,
    between: Between,
    order: Wanted['order'],
    limit: number,
  ): Promise<MessageId[]> {
    const next = 6 + values.length;
    const [after, before] = [`$${next}::int8`, `$${next + 1}::int8`];
    const fits = ['m.realm_id = $1', ...conditions].join(' AND ');
    const inRange = `m.message_id > ${after} AND m.message_id < ${before}`;
    const branches = RECEIVED_FROM.map(
      (from) => `SELECT m.message_id FROM ${READER} ${from} ${PLACE_JOIN}
      WHERE ${fits} AND ${inRange}`,
    );
    const { rows } = await this.kernel.database.pool.query<{ message_id: MessageId }>({
      text: `WITH candidates AS (${branches.join(' UNION ')})
        SELECT m.message_id FROM ${READER} CROSS JOIN candidates
          JOIN view.messages AS m ON m.realm_id = $1 AND m.message_id = candidates.message_id ${PLACE_JOIN}
        WHERE ${VISIBLE_SQL} ORDER BY m.message_id ${direction(order)} LIMIT $${next + 2}`,
      values: [...readerValues(by), ...values, between.after, between.before, limit],
    });
    return rows.map((row) => row.message_id);
  }
}

/** A page of what is in a channel: what is filed under it, and what its topics brought that are filed elsewhere. */
const inChannel = (
  page: (condition: string) => string,
  channel: string,
  order: Wanted['order'],
  limit: string,
): string => `SELECT message_id FROM ((${page(`m.channel_id = ${channel}`)})
    UNION (SELECT b.message_id FROM view.topics AS e CROSS JOIN LATERAL (${page('m.topic_id = e.topic_id')}) AS b
      WHERE e.realm_id = $1 AND e.channel_id = ${channel} AND e.filed_elsewhere)) AS found
  ORDER BY message_id ${direction(order)} LIMIT ${limit}`;

/** Memberships `s` of the reader, and position `at` within one. */
const MEMBERSHIPS = 'JOIN view.memberships AS s ON s.realm_id = $1 AND s.user_id = r.user_id';
const within = (at: string): string => `${at} > s.from_position AND (s.to_position IS NULL OR ${at} < s.to_position)`;

/**
 * Where messages that somebody received are found, as rows `m`: in channels they were subscribed to as it was sent, there
 * still or gone since; in conversations; by them or with their name. In channels with protected history what came from
 * elsewhere while they were subscribed belongs to it.
 */
const RECEIVED_FROM = [
  `${MEMBERSHIPS} JOIN view.messages AS m ON m.realm_id = $1 AND m.channel_id = s.channel_id
    AND m.sent_channel_id = s.channel_id AND ${within('m.message_id')}`,
  `${MEMBERSHIPS} JOIN view.messages AS m ON m.realm_id = $1 AND m.sent_channel_id = s.channel_id
    AND m.sent_channel_id <> m.channel_id AND ${within('m.message_id')}`,
  `${MEMBERSHIPS} JOIN view.channels AS k ON k.realm_id = $1 AND k.channel_id = s.channel_id
      AND NOT k.history_public_to_subscribers
    JOIN view.messages AS m ON m.realm_id = $1 AND m.channel_id = s.channel_id AND m.arrived <> m.message_id
      AND ${within('m.arrived')}
    JOIN view.topics AS e ON e.realm_id = $1 AND e.topic_id = m.topic_id AND e.channel_id = s.channel_id`,
  `${MEMBERSHIPS} JOIN view.channels AS k ON k.realm_id = $1 AND k.channel_id = s.channel_id
      AND NOT k.history_public_to_subscribers
    JOIN view.topics AS e ON e.realm_id = $1 AND e.channel_id = s.channel_id AND e.filed_elsewhere
      AND ${within('e.arrived')}
    JOIN view.messages AS m ON m.realm_id = $1 AND m.topic_id = e.topic_id`,
  `JOIN view.conversation_members AS v ON v.realm_id = $1 AND v.user_id = r.user_id
    JOIN view.messages AS m ON m.realm_id = $1 AND m.conversation_id = v.conversation_id`,
  'JOIN view.messages AS m ON m.realm_id = $1 AND m.sender_id = r.user_id',
  `JOIN view.called AS n ON n.realm_id = $1 AND n.user_id = r.user_id
    JOIN view.messages AS m ON m.realm_id = $1 AND m.message_id = n.message_id`,
];

const direction = (order: Wanted['order']): string => (order === 'newest first' ? 'DESC' : 'ASC');
