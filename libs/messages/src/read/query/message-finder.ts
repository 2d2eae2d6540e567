import { READER, readerValues } from '@annals/channels';
import { Kernel, containsSql } from '@annals/kernel';
import type { Actor, Instant, MessageId, RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { CompiledNarrow } from '../narrow/compiled-narrow';
import { EVERYTHING } from '../narrow/compiled-narrow';
import { sentSince } from '../placement/sent-since';
import { stillUnread } from '../unread/still-unread';
import { MAYBE_UNREAD_SQL } from '../unread/unread-sql';
import { PLACE_JOIN, SENT_DURING_SQL, VISIBLE_SQL } from '../visibility/visibility';
import { RECEIVED_OR_ARRIVED_SQL, direction, hidden } from './finder-sql';
import type { IdRange, Search } from './message-search';
import { narrowStatements } from './statement-names';
import { searchText } from './text-search';

/** Positions that are searched first; each further search covers GROWTH times as many. */
const FIRST_STRETCH = 500;
const GROWTH = 8;
/** The first stretch has at least so many times as many positions as messages are wanted. */
const MARGIN = 4;
/** Maximum of messages that are checked together. */
const MAX_CHECKED_PAGE = 4_096;

/** Finds messages that a user may see. Scans indexes from one end until there are enough. */
@Injectable()
export class MessageFinder {
  constructor(private readonly kernel: Kernel) {}

  /**
   * Where checks drop messages that SQL found, the search continues after them in larger pages.
   *
   * @returns ids in the order of the search
   */
  async find(by: Actor, { narrow, range, order, limit }: Search): Promise<MessageId[]> {
    const found: MessageId[] = [];
    let [{ after, before }, size] = [range, limit];
    while (found.length < limit) {
      const page = await this.page(by, { narrow, range: { after, before }, order, limit: size });
      found.push(...(await this.checked(by, narrow, page)));
      const last = page[size - 1];
      if (last === undefined) break;
      if (order === 'newest first') before = last;
      else after = last;
      size = Math.min(size * GROWTH, MAX_CHECKED_PAGE);
    }
    return found.slice(0, limit);
  }

  /** Those of the messages that `find` finds, ascending. */
  async among(by: Actor, narrow: CompiledNarrow, ids: readonly number[]): Promise<MessageId[]> {
    const { source, conditions } = narrow;
    if (source === 'seen') return this.visible(by, narrow, ids);
    return this.visible(by, { ...narrow, conditions: [...conditions, RECEIVED_OR_ARRIVED_SQL] }, ids);
  }

  /** Those of the messages that the user may see and that match the terms of the narrow, ascending. */
  async visible(by: Actor, narrow: CompiledNarrow, ids: readonly number[]): Promise<MessageId[]> {
    const conditions = [...narrow.conditions, `m.message_id = ANY($${6 + narrow.values.length}::int8[])`];
    const found = await this.ids(
      `SELECT m.message_id FROM ${READER} CROSS JOIN view.messages AS m ${PLACE_JOIN}
        WHERE m.realm_id = $1 AND ${conditions.join(' AND ')} AND ${VISIBLE_SQL} ORDER BY m.message_id`,
      [...readerValues(by), ...narrow.values, ids],
    );
    return this.checked(by, narrow, found);
  }

  /**
   * The oldest message of a narrow that the account has not read. Whether a message that changed its
   * channel is unread is decided by the timeline, so the search goes in pages. They begin small, as the first message mostly is
   * unread, and grow up to a maximum that bounds memory: a user may have left a million messages behind before that one.
   */
  async firstUnread(by: Actor, asked: CompiledNarrow): Promise<MessageId | undefined> {
    const narrow = maybeUnread(asked);
    const before = Number.MAX_SAFE_INTEGER;
    for (let [after, limit] = [0, 1]; ; limit = Math.min(limit * GROWTH, MAX_CHECKED_PAGE)) {
      const ids = await this.page(by, { narrow, range: { after, before }, order: 'oldest first', limit });
      const unread = await stillUnread(this.kernel.database.pool, by, ids);
      const [first] = await this.checked(by, narrow, unread);
      if (first !== undefined || ids.length < limit) return first;
      after = ids[limit - 1] ?? before;
    }
  }

  /** The id from which on messages were sent at a time or later. */
  async sentSince(realmId: RealmId, at: Instant): Promise<number> {
    const { fence, database } = this.kernel;
    return sentSince(database.pool, realmId, await fence.reach(realmId), at);
  }

  private async page(by: Actor, search: Search): Promise<MessageId[]> {
    const { database, fence } = this.kernel;
    const { text } = search.narrow;
    if (text) {
      const head = await fence.reached(by.realmId);
      return searchText(search, { pool: database.pool, by, text, head, walk: (others) => this.page(by, others) });
    }
    return search.narrow.source === 'seen' ? this.seen(by, search) : this.received(by, search);
  }

  private async checked(by: Actor, { checks }: CompiledNarrow, ids: readonly MessageId[]): Promise<MessageId[]> {
    let kept = [...ids];
    for (const check of checks) {
      if (kept.length > 0) kept = kept.filter(await check(this.kernel.database.pool, by, kept));
    }
    return kept;
  }

  private async seen(by: Actor, { narrow, range, order, limit }: Search): Promise<MessageId[]> {
    const { conditions, values, within, isVisible } = narrow;
    const next = 6 + values.length;
    const fits = ['m.realm_id = $1', ...conditions, isVisible ? 'true' : VISIBLE_SQL].join(' AND ');
    const page = (condition: string) => `SELECT m.message_id FROM ${READER} CROSS JOIN view.messages AS m ${PLACE_JOIN}
      WHERE ${fits} AND ${condition}
        AND m.message_id > ${hidden(next)} AND m.message_id < ${hidden(next + 1)}
      ORDER BY m.message_id ${direction(order)} LIMIT ${hidden(next + 2)}`;
    return this.ids(within === null ? page('true') : inChannel(page, `$${next + 3}::int8`, order, hidden(next + 2)), [
      ...[...readerValues(by), ...values, range.after, range.before, limit],
      ...(within === null ? [] : [within]),
    ]);
  }

  /** One value for all ids: so many rows would take longer to read. */
  private async ids(text: string, values: readonly unknown[]): Promise<MessageId[]> {
    const { rows } = await this.kernel.database.pool.query<{ ids: string }>({
      values: [...values],
      ...narrowStatements.named(`SELECT array_to_json(ARRAY(${text}))::text AS ids`),
    });
    return JSON.parse(rows[0]?.ids ?? '[]') as MessageId[];
  }

  /**
   * The messages that a user received are scattered over the log. They are collected by channel and conversation within a stretch
   * of the log, and if these are not enough, within a longer one after it. So the time depends neither on the number of channels
   * nor on the length of the log.
   */
  private async received(by: Actor, { narrow, range, order, limit }: Search): Promise<MessageId[]> {
    const head = await this.kernel.fence.reached(by.realmId);
    const [first, last] = [Math.max(range.after, 0), Math.min(range.before, head + 1)];
    const found: MessageId[] = [];
    let stretch = Math.max(FIRST_STRETCH, MARGIN * limit);
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
    { conditions, values, candidates }: CompiledNarrow,
    range: IdRange,
    order: Search['order'],
    limit: number,
  ): Promise<MessageId[]> {
    const next = 6 + values.length;
    const [after, before] = [hidden(next), hidden(next + 1)];
    const fits = ['m.realm_id = $1', ...conditions].join(' AND ');
    const inRange = (id: string) => `${id} > ${after} AND ${id} < ${before}`;
    const sources = candidates?.map((joins) => joins(inRange)) ?? RECEIVED_FROM;
    const branches = sources.map(
      (from) => `SELECT m.message_id FROM ${READER} ${from} ${PLACE_JOIN}
      WHERE ${fits} AND ${inRange('m.message_id')}`,
    );
    const received = candidates ? RECEIVED_OR_ARRIVED_SQL : 'true';
    // PostgreSQL checks candidate by candidate, in order, until there are enough. Without OFFSET 0 it may compare all messages of the
    // range with all candidates instead, since it does not know how many there are.
    return this.ids(
      `WITH candidates AS (${branches.join(' UNION ')})
        SELECT m.message_id FROM ${READER}
          CROSS JOIN (SELECT message_id FROM candidates ORDER BY message_id ${direction(order)} OFFSET 0) AS found
          CROSS JOIN LATERAL (SELECT * FROM view.messages AS i
            WHERE i.realm_id = $1 AND i.message_id = found.message_id OFFSET 0) AS m ${PLACE_JOIN}
        WHERE ${VISIBLE_SQL} AND ${received}
        ORDER BY found.message_id ${direction(order)} LIMIT ${hidden(next + 2)}`,
      [...readerValues(by), ...values, range.after, range.before, limit],
    );
  }
}

/** The messages of a narrow that the user received and may not have read. */
const maybeUnread = ({ conditions, values, checks, text }: CompiledNarrow): CompiledNarrow => ({
  ...EVERYTHING,
  conditions: [...conditions, MAYBE_UNREAD_SQL],
  values,
  checks,
  text: text && { ...text, others: maybeUnread(text.others) },
});

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

/** Memberships `s` of the reader. */
const MEMBERSHIPS = 'JOIN view.memberships AS s ON s.realm_id = $1 AND s.user_id = r.user_id';

/**
 * The sources of messages that a user received, as rows `m`: channels that they were subscribed to when it was sent, whether it
 * is still there or was moved; conversations; messages that they sent, that mentioned them, or that they starred, collapsed or
 * marked as unread. In channels with protected history also messages that were moved there while they were subscribed.
 */
const RECEIVED_FROM = [
  `${MEMBERSHIPS} JOIN view.messages AS m ON m.realm_id = $1 AND m.channel_id = s.channel_id
    AND m.sent_channel_id = s.channel_id AND ${SENT_DURING_SQL}`,
  `${MEMBERSHIPS} JOIN view.messages AS m ON m.realm_id = $1 AND m.sent_channel_id = s.channel_id
    AND m.sent_channel_id <> m.channel_id AND ${SENT_DURING_SQL}`,
  `${MEMBERSHIPS} JOIN view.channels AS k ON k.realm_id = $1 AND k.channel_id = s.channel_id
      AND NOT k.history_public_to_subscribers
    JOIN view.messages AS m ON m.realm_id = $1 AND m.channel_id = s.channel_id AND m.arrived <> m.message_id
      AND ${containsSql('s', 'm.arrived')}
    JOIN view.topics AS e ON e.realm_id = $1 AND e.topic_id = m.topic_id AND e.channel_id = s.channel_id`,
  `${MEMBERSHIPS} JOIN view.channels AS k ON k.realm_id = $1 AND k.channel_id = s.channel_id
      AND NOT k.history_public_to_subscribers
    JOIN view.topics AS e ON e.realm_id = $1 AND e.channel_id = s.channel_id AND e.filed_elsewhere
      AND ${containsSql('s', 'e.arrived')}
    JOIN view.messages AS m ON m.realm_id = $1 AND m.topic_id = e.topic_id`,
  `JOIN view.conversation_members AS v ON v.realm_id = $1 AND v.user_id = r.user_id
    JOIN view.messages AS m ON m.realm_id = $1 AND m.conversation_id = v.conversation_id`,
  'JOIN view.messages AS m ON m.realm_id = $1 AND m.sender_id = r.user_id',
  `JOIN view.mentioned_when_sent AS n ON n.realm_id = $1 AND n.user_id = r.user_id
    JOIN view.messages AS m ON m.realm_id = $1 AND m.message_id = n.message_id`,
  `JOIN view.personal_flags AS f ON f.realm_id = $1 AND f.user_id = r.user_id
    JOIN view.messages AS m ON m.realm_id = $1 AND m.message_id = f.message_id`,
];
