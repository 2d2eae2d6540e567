import { READER, readerValues } from '@annals/channels';
import { Kernel } from '@annals/kernel';
import type { Actor, Instant, MessageId, RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { readImplicitReads } from '../history/implicit-reads';
import type { CompiledNarrow } from '../narrow/narrow-compiler';
import { sentSince } from '../placement/sent-since';
import { MAYBE_UNREAD_SQL } from '../unread/unread-sql';
import { PLACE_JOIN, VISIBLE_SQL } from '../visibility/visibility';

/** A range of ids without its two limits. */
export interface IdRange {
  readonly after: number;
  readonly before: number;
}

/** A narrow, a range, the end from which to search, and the number of messages. */
export interface Search {
  readonly narrow: CompiledNarrow;
  readonly range: IdRange;
  readonly order: 'newest first' | 'oldest first';
  readonly limit: number;
}

/** Positions that are searched first; each further search covers GROWTH times as many. */
const FIRST_STRETCH = 4_000;
const GROWTH = 8;
/** Maximum of messages that are checked together for the first unread one. */
const MAX_UNREAD_PAGE = 4_096;

/** Finds messages that a user may see. Scans indexes from one end until there are enough. */
@Injectable()
export class MessageFinder {
  constructor(private readonly kernel: Kernel) {}

  /** @returns ids in the order of the search */
  async find(by: Actor, search: Search): Promise<MessageId[]> {
    if (search.limit === 0) return [];
    return search.narrow.source === 'seen' ? this.seen(by, search) : this.received(by, search);
  }

  /** Those of the messages that the user may see, ascending. */
  async visible(by: Actor, narrow: CompiledNarrow, ids: readonly number[]): Promise<MessageId[]> {
    const conditions = [...narrow.conditions, `m.message_id = ANY($${6 + narrow.values.length}::int8[])`];
    const { rows } = await this.kernel.database.pool.query<{ message_id: MessageId }>({
      text: `SELECT m.message_id FROM ${READER} CROSS JOIN view.messages AS m ${PLACE_JOIN}
        WHERE m.realm_id = $1 AND ${conditions.join(' AND ')} AND ${VISIBLE_SQL} ORDER BY m.message_id`,
      values: [...readerValues(by), ...narrow.values, ids],
    });
    return rows.map((row) => row.message_id);
  }

  /**
   * The oldest message of a narrow that the account has not read. Whether a message that changed its
   * channel is unread is decided by the timeline, so the search goes in pages. They begin small, as the first message mostly is
   * unread, and grow up to a maximum that bounds memory: a user may have left a million messages behind before that one.
   */
  async firstUnread(by: Actor, { conditions, values }: CompiledNarrow): Promise<MessageId | undefined> {
    const unread = [...conditions, MAYBE_UNREAD_SQL];
    const narrow: CompiledNarrow = { source: 'received', within: null, conditions: unread, values };
    const before = Number.MAX_SAFE_INTEGER;
    for (let [after, limit] = [0, 1]; ; limit = Math.min(limit * GROWTH, MAX_UNREAD_PAGE)) {
      const ids = await this.received(by, { narrow, range: { after, before }, order: 'oldest first', limit });
      const implicitlyReadAt = await readImplicitReads(this.kernel.database.pool, by.realmId, ids, [by.userId]);
      const first = ids.find((id) => implicitlyReadAt(id, by.userId) === undefined);
      if (first !== undefined || ids.length < limit) return first;
      after = ids[limit - 1] ?? before;
    }
  }

  /** The id from which on messages were sent at a time or later. */
  async sentSince(realmId: RealmId, at: Instant): Promise<number> {
    const { fence, database } = this.kernel;
    return sentSince(database.pool, realmId, await fence.reach(realmId), at);
  }

  private async seen(by: Actor, { narrow, range, order, limit }: Search): Promise<MessageId[]> {
    const { conditions, values, within } = narrow;
    const next = 6 + values.length;
    const page = (condition: string) => `SELECT m.message_id FROM ${READER} CROSS JOIN view.messages AS m ${PLACE_JOIN}
      WHERE ${['m.realm_id = $1', ...conditions].join(' AND ')} AND ${VISIBLE_SQL} AND ${condition}
        AND m.message_id > $${next}::int8 AND m.message_id < $${next + 1}::int8
      ORDER BY m.message_id ${direction(order)} LIMIT $${next + 2}`;
    const { rows } = await this.kernel.database.pool.query<{ message_id: MessageId }>({
      text: within === null ? page('true') : inChannel(page, `$${next + 3}::int8`, order, `$${next + 2}`),
      values: [...readerValues(by), ...values, range.after, range.before, limit, ...(within ? [within] : [])],
    });
    return rows.map((row) => row.message_id);
  }

  /**
   * The messages that a user received are scattered over the log. They are collected by channel and conversation within a stretch
   * of the log, and if these are not enough, within a longer one after it. So the time depends neither on the number of channels
   * nor on the length of the log.
   */
  private async received(by: Actor, { narrow, range, order, limit }: Search): Promise<MessageId[]> {
    const head = await this.kernel.fence.reach(by.realmId);
    const [first, last] = [Math.max(range.after, 0), Math.min(range.before, head + 1)];
    const found: MessageId[] = [];
    let stretch = Math.max(FIRST_STRETCH, GROWTH * limit);
    let [after, before] = [first, last];
    while (found.length < limit && before - after > 1) {
      const part =
        order === 'newest first'
          ? { after: Math.max(after, before - stretch), before }
          : { after, before: Math.min(before, after + stretch) };
      found.push(...(await this.receivedWithin(by, narrow, part, order, limit - found.length)));
      if (order === 'newest first') before = part.after + 1;
      else after = part.before - 1;
      stretch *= GROWTH;
    }
    return found;
  }

  private async receivedWithin(
    by: Actor,
    { conditions, values }: CompiledNarrow,
    range: IdRange,
    order: Search['order'],
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
      values: [...readerValues(by), ...values, range.after, range.before, limit],
    });
    return rows.map((row) => row.message_id);
  }
}

/** A page of a channel's messages: those filed under it, and those of its topics that are filed under another channel. */
const inChannel = (
  page: (condition: string) => string,
  channel: string,
  order: Search['order'],
  limit: string,
): string => `SELECT message_id FROM ((${page(`m.channel_id = ${channel}`)})
    UNION (SELECT b.message_id FROM view.topics AS e CROSS JOIN LATERAL (${page('m.topic_id = e.topic_id')}) AS b
      WHERE e.realm_id = $1 AND e.channel_id = ${channel} AND e.filed_elsewhere)) AS found
  ORDER BY message_id ${direction(order)} LIMIT ${limit}`;

/** Memberships `s` of the reader; `within`: position `at` is in one. */
const MEMBERSHIPS = 'JOIN view.memberships AS s ON s.realm_id = $1 AND s.user_id = r.user_id';
const within = (at: string): string => `${at} > s.from_position AND (s.to_position IS NULL OR ${at} < s.to_position)`;

/**
 * The sources of messages that a user received, as rows `m`: channels that they were subscribed to when it was sent, whether it
 * is still there or was moved; conversations; messages that they sent or that mentioned them. In channels with protected history
 * also messages that were moved there while they were subscribed.
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
  `JOIN view.mentioned_when_sent AS n ON n.realm_id = $1 AND n.user_id = r.user_id
    JOIN view.messages AS m ON m.realm_id = $1 AND m.message_id = n.message_id`,
];

const direction = (order: Search['order']): string => (order === 'newest first' ? 'DESC' : 'ASC');
