import type { MessageId } from '@annals/kernel/domain';
import type { IdSearch } from '../../query/message-pages';
import type { Search } from '../../query/message-search';
import { readCandidates } from './past-candidates';
import type { PastMessage } from '../past-messages';
import { readPastMessages } from '../past-messages';
import type { PastNarrow } from './narrow-parts';
import { isShownByPolicy } from '../past-policy';
import type { PastReading } from '../past-reading';
import type { PastTest } from './past-tests';
import { isOwn } from './past-tests';

/** Maximum of messages that are looked at together. */
const MAX_AT_ONCE = 1_000;
/** If few candidates match, each further page has so many times as many. */
const GROWTH = 4;
/** Positions of the first stretch in which messages are collected that no single index finds, and the longest. */
const [FIRST_STRETCH, LAST_STRETCH] = [1_000, 65_536];

/** Finds the messages of a narrow that an account could read at a moment, in the order of the search. */
export class PastFinder {
  constructor(
    private readonly reading: PastReading,
    private readonly narrow: PastNarrow,
  ) {}

  /** Looks at pages of candidates until there are enough, so neither a channel nor the log is read as a whole. */
  async find({ range, order, limit }: IdSearch): Promise<PastMessage[]> {
    const found: PastMessage[] = [];
    const own = this.narrow.findsAll ? [] : [isOwn];
    for await (const ids of this.pages(this.rangeOf(range), order, limit)) {
      found.push(...(await this.matching(ids, own)));
      if (found.length >= limit) break;
    }
    return found.slice(0, limit);
  }

  /** Those of some messages that match and that the account could read, in their order. @param more further tests */
  async matching(ids: readonly MessageId[], more: readonly PastTest[] = []): Promise<PastMessage[]> {
    let kept = (await readPastMessages(this.reading, ids)).filter(({ isReadable }) => isReadable);
    for (const test of [...this.narrow.tests, ...more, isShownByPolicy]) {
      if (kept.length > 0) kept = kept.filter(await test(this.reading, kept));
    }
    return kept;
  }

  private rangeOf({ after, before }: Search['range']): Search['range'] {
    const { only } = this.narrow;
    const last = Math.min(before, this.reading.position + 1);
    if (only === null) return { after: Math.max(after, 0), before: last };
    return { after: Math.max(after, only - 1, 0), before: Math.min(last, only + 1) };
  }

  private pages(range: Search['range'], order: Search['order'], limit: number) {
    const { kind } = this.narrow.source;
    const isScattered = kind === 'received' || kind === 'everything' || kind === 'sender';
    return isScattered ? this.stretches(range, order) : this.inTurn(range, order, limit);
  }

  /** Pages of candidates that an index has in the order of the search. */
  private async *inTurn({ after, before }: Search['range'], order: Search['order'], limit: number) {
    const { source, maybe } = this.narrow;
    for (let size = Math.min(limit, MAX_AT_ONCE); before - after > 1; size = Math.min(size * GROWTH, MAX_AT_ONCE)) {
      const ids = await readCandidates(this.reading, { source, maybe, range: { after, before }, order, limit: size });
      if (ids.length > 0) yield ids;
      const last = ids[size - 1];
      if (last === undefined) return;
      if (order === 'newest first') before = last;
      else after = last;
    }
  }

  /** Candidates that are scattered over the log, collected within one stretch of it after the other. */
  private async *stretches({ after, before }: Search['range'], order: Search['order']) {
    const { source, maybe } = this.narrow;
    const isNewestFirst = order === 'newest first';
    for (let length = FIRST_STRETCH; before - after > 1; length = Math.min(length * GROWTH, LAST_STRETCH)) {
      const range = isNewestFirst
        ? { after: Math.max(after, before - length), before }
        : { after, before: Math.min(before, after + length) };
      const ids = await readCandidates(this.reading, { source, maybe, range, order, limit: length });
      for (let n = 0; n < ids.length; n += MAX_AT_ONCE) yield ids.slice(n, n + MAX_AT_ONCE);
      if (isNewestFirst) before = range.after + 1;
      else after = range.before - 1;
    }
  }
}
