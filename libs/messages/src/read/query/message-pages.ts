import type { Actor, Instant, MessageId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { CompiledNarrow } from '../narrow/compiled-narrow';
import { MessageFinder } from './message-finder';
import type { Search } from './message-search';

/** Means "after everything" in the API (contract/boot.md section 10). */
export const NEWEST = 10_000_000_000_000_000;

/** The anchor of a page. A number is a message's id, which need not exist. */
export type Anchor = number | 'newest' | 'oldest' | 'first unread' | { readonly sentSince: Instant };

/** A page of the messages of a narrow. */
export interface MessagePage {
  readonly anchor: Anchor;
  readonly includeAnchor: boolean;
  readonly before: number;
  readonly after: number;
}

/** The messages of a page, and whether the narrow has more. */
export interface FoundPage {
  /** Ascending. */
  readonly ids: readonly MessageId[];
  readonly anchor: number;
  readonly foundAnchor: boolean;
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
}

/** Finds the messages of a narrow around an anchor (contract/boot.md section 10). */
@Injectable()
export class MessagePages {
  constructor(private readonly finder: MessageFinder) {}

  async find(by: Actor, narrow: CompiledNarrow, page: MessagePage): Promise<FoundPage> {
    const anchor = await this.resolve(by, narrow, page.anchor);
    return { anchor, ...(await this.around(by, narrow, { ...page, anchor })) };
  }

  private async resolve(by: Actor, narrow: CompiledNarrow, anchor: Anchor): Promise<number> {
    if (typeof anchor === 'number') return Math.min(Math.max(anchor, 0), NEWEST);
    if (anchor === 'newest') return NEWEST;
    if (anchor === 'oldest') return 0;
    if (anchor === 'first unread') return (await this.finder.firstUnread(by, narrow)) ?? NEWEST;
    const since = await this.finder.sentSince(by.realmId, anchor.sentSince);
    const [first] = await this.finder.find(by, { narrow, range: idsFrom(since), order: 'oldest first', limit: 1 });
    return first ?? NEWEST;
  }

  private async around(by: Actor, narrow: CompiledNarrow, page: AnchoredPage) {
    const { earlier, later } = searchesAround(page);
    const find = (search: IdSearch | null) => (search ? this.finder.find(by, { narrow, ...search }) : []);
    const [before, after] = await Promise.all([find(earlier), find(later)]);
    return pageAround(page, before, after);
  }
}

/** A page whose anchor is known. */
export type AnchoredPage = MessagePage & { readonly anchor: number };

/** A search for the ids of messages. */
export type IdSearch = Omit<Search, 'narrow'>;

/** The searches before and after an anchor: one message more than requested, to know whether the anchor exists and there are more. */
export const searchesAround = ({
  anchor,
  before,
  after,
}: AnchoredPage): Readonly<Record<'earlier' | 'later', IdSearch | null>> => ({
  earlier:
    anchor === 0 ? null : { range: { after: 0, before: anchor }, order: 'newest first', limit: Math.max(before, 1) },
  later: anchor === NEWEST ? null : { range: idsFrom(anchor), order: 'oldest first', limit: after + 1 },
});

/** The page of what was found before an anchor and after it. */
export function pageAround(
  page: AnchoredPage,
  earlier: readonly MessageId[],
  later: readonly MessageId[],
): Omit<FoundPage, 'anchor'> {
  const { anchor, includeAnchor } = page;
  const [fromOldest, fromNewest] = [anchor === 0, anchor === NEWEST];
  const isThere = later[0] === anchor;
  const before = earlier.slice(0, page.before).reverse();
  const after = later.filter((id) => id > anchor).slice(0, page.after);
  return {
    ids: [...before, ...(isThere && includeAnchor ? [anchor as MessageId] : []), ...after],
    foundAnchor: isThere && includeAnchor,
    foundOldest: fromOldest || (page.before > 0 ? before.length < page.before : earlier.length === 0 && !isThere),
    foundNewest: fromNewest || (page.after > 0 ? after.length < page.after : later.length === 0),
  };
}

export const idsFrom = (id: number) => ({ after: id - 1, before: Number.MAX_SAFE_INTEGER });
