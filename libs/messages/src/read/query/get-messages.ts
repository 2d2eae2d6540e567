import { Kernel } from '@annals/kernel';
import type { Actor, Instant, MessageId } from '@annals/kernel/domain';
import { UserAccess } from '@annals/users';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { reject } from '../../domain/rejections';
import { MAX_BYTES, MAX_TYPED_BYTES, bytesOf, fittingAround, withFittingChanges } from './page-budget';
import { MessageFinder } from './message-finder';
import type { LoadedMessages } from '../content/message-row';
import { loadMessages } from '../content/message-row';
import { withoutUnseenPast } from '../content/readable-past';
import { sendersOf, withoutStrangers } from '../content/inaccessible-users';
import type { Term } from '../narrow/narrow-terms';
import { Narrows } from '../narrow/narrows';
import { readFlags } from '../unread/message-flags-query';
import type { Selection } from '../narrow/selection';
import { EVERYTHING } from '../narrow/selection';
import { readTextBytes } from '../content/texts';

/** Stands for "after everything" on the wire (contract/boot.md section 10). */
export const NEWEST = 10_000_000_000_000_000;

/** Where a page begins; a number is a message's id, there or not. */
export type Anchor = number | 'newest' | 'oldest' | 'first unread' | { readonly sentSince: Instant };

/** A page of what a narrow finds. */
export interface Page {
  readonly anchor: Anchor;
  readonly includeAnchor: boolean;
  readonly before: number;
  readonly after: number;
}

/** Messages as one account sees them. */
export interface SeenMessages {
  /** Ascending. */
  readonly ids: readonly MessageId[];
  readonly loaded: LoadedMessages;
  readonly flags: ReadonlyMap<MessageId, readonly string[]>;
}

export interface FoundMessages extends SeenMessages {
  readonly anchor: number;
  readonly foundAnchor: boolean;
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
}

/** A page of messages (contract/boot.md section 10): those next to the anchor, where texts are very long together. */
export class GetMessages extends Query<FoundMessages> {
  constructor(
    readonly by: Actor,
    readonly terms: readonly Term[],
    readonly page: Page,
    readonly asHtml: boolean,
  ) {
    super();
  }
}

@QueryHandler(GetMessages)
export class GetMessagesHandler implements IQueryHandler<GetMessages> {
  constructor(
    private readonly kernel: Kernel,
    private readonly finder: MessageFinder,
    private readonly narrows: Narrows,
    private readonly acquaintances: UserAccess,
  ) {}

  async execute({ by, terms, page, asHtml }: GetMessages): Promise<FoundMessages> {
    const selection = await this.narrows.selection(by, terms);
    const anchor = await this.resolve(by, selection, page.anchor);
    const found = await this.around(by, selection, { ...page, anchor });
    const bytes = await bytesOfMany(this.kernel, by, found.ids);
    const { ids: read } = await fittingAround(found.ids, anchor, MAX_TYPED_BYTES, (id) => bytes.get(id) ?? 0);
    const all = await seen(this.kernel, this.acquaintances, by, read);
    const wanted = { asker: askerOf(by), asHtml };
    const fitting = await fittingAround(all.ids, anchor, MAX_BYTES, (id) =>
      all.loaded.rendered.isSpent ? null : bytesOf(id, all.loaded, wanted),
    );
    const { ids } = fitting;
    const loaded = await withFittingChanges(all.loaded, fitting, wanted);
    return {
      ...{ ...all, ids, loaded, anchor },
      foundAnchor: found.foundAnchor && ids.includes(anchor as MessageId),
      foundOldest: found.foundOldest && read[0] === found.ids[0] && ids[0] === all.ids[0],
      foundNewest: found.foundNewest && read.at(-1) === found.ids.at(-1) && ids.at(-1) === all.ids.at(-1),
    };
  }

  private async resolve(by: Actor, selection: Selection, anchor: Anchor): Promise<number> {
    if (typeof anchor === 'number') return Math.min(Math.max(anchor, 0), NEWEST);
    if (anchor === 'newest') return NEWEST;
    if (anchor === 'oldest') return 0;
    if (anchor === 'first unread') return (await this.finder.firstUnread(by, selection)) ?? NEWEST;
    const since = await this.finder.sentSince(by.realmId, anchor.sentSince);
    const [first] = await this.finder.find(by, { selection, between: from(since), order: 'oldest first', limit: 1 });
    return first ?? NEWEST;
  }

  /** One more than asked for tells whether the anchor is there, and whether anything is beyond it. */
  private async around(by: Actor, selection: Selection, page: Page & { readonly anchor: number }) {
    const { anchor, includeAnchor } = page;
    const [fromOldest, fromNewest] = [anchor === 0, anchor === NEWEST];
    const earlier = fromOldest
      ? []
      : await this.finder.find(by, {
          selection,
          between: { after: 0, before: anchor },
          order: 'newest first',
          limit: Math.max(page.before, 1),
        });
    const later = fromNewest
      ? []
      : await this.finder.find(by, { selection, between: from(anchor), order: 'oldest first', limit: page.after + 1 });
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
}

/**
 * Messages by their ids; those that the actor may not see are left out (contract/boot.md section 10).
 *
 * @throws Rejected BAD_REQUEST where their texts are too long together
 */
export class GetMessagesById extends Query<SeenMessages> {
  constructor(
    readonly by: Actor,
    readonly terms: readonly Term[],
    readonly ids: readonly number[],
    readonly asHtml: boolean,
  ) {
    super();
  }
}

@QueryHandler(GetMessagesById)
export class GetMessagesByIdHandler implements IQueryHandler<GetMessagesById> {
  constructor(
    private readonly kernel: Kernel,
    private readonly finder: MessageFinder,
    private readonly narrows: Narrows,
    private readonly acquaintances: UserAccess,
  ) {}

  async execute({ by, terms, ids, asHtml }: GetMessagesById): Promise<SeenMessages> {
    const selection = await this.narrows.selection(by, terms);
    const visible = await this.finder.visible(by, selection, ids);
    const bytes = await bytesOfMany(this.kernel, by, visible);
    if ([...bytes.values()].reduce((sum, one) => sum + one, 0) > MAX_TYPED_BYTES) throw reject.tooMuchText();
    const found = await seen(this.kernel, this.acquaintances, by, visible);
    const wanted = { asker: askerOf(by), asHtml };
    let room = MAX_BYTES;
    for (const id of found.ids) {
      room -= await bytesOf(id, found.loaded, wanted);
      if (room < 0) throw reject.tooMuchText();
    }
    return { ...found, loaded: await withFittingChanges(found.loaded, { ids: found.ids, room }, wanted) };
  }
}

/**
 * One message (contract/messages.md section 4.2).
 *
 * @throws Rejected BAD_REQUEST for one the actor may not see, as for one that does not exist
 */
export class GetMessage extends Query<SeenMessages> {
  constructor(
    readonly by: Actor,
    readonly id: number,
  ) {
    super();
  }
}

@QueryHandler(GetMessage)
export class GetMessageHandler implements IQueryHandler<GetMessage> {
  constructor(
    private readonly kernel: Kernel,
    private readonly finder: MessageFinder,
    private readonly acquaintances: UserAccess,
  ) {}

  async execute({ by, id }: GetMessage): Promise<SeenMessages> {
    const ids = await this.finder.visible(by, EVERYTHING, [id]);
    const found = await seen(this.kernel, this.acquaintances, by, ids);
    if (found.ids.length === 0) throw reject.unknownMessage();
    return found;
  }
}

/** In the words of whoever shares out the work on texts. */
export const askerOf = ({ realmId, userId }: Pick<Actor, 'realmId' | 'userId'>): string => `${realmId}:${userId}`;

/** Messages that may be read together, whatever they say. */
const FEW = 100;

/** How long the texts of many messages are; of few they need not be known before they are read. */
const bytesOfMany = async ({ database }: Kernel, { realmId }: Actor, ids: readonly MessageId[]) =>
  ids.length > FEW ? readTextBytes(database.pool, realmId, ids) : new Map<MessageId, number>();

const from = (id: number) => ({ after: id - 1, before: Number.MAX_SAFE_INTEGER });

async function seen(
  kernel: Kernel,
  acquaintances: UserAccess,
  by: Actor,
  ids: readonly MessageId[],
): Promise<SeenMessages> {
  const { pool } = kernel.database;
  const all = await loadMessages(pool, by.realmId, ids, 'now');
  const known = withoutStrangers(all, await acquaintances.inaccessibleAmong(by, sendersOf(all)));
  const loaded = await withoutUnseenPast(kernel, by, known);
  // What was deleted meanwhile, or went where the account cannot see it, has no flags.
  const flags = await readFlags(pool, by, loaded);
  return { ids: ids.filter((id) => flags.has(id)), loaded, flags };
}
