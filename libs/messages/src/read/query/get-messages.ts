import { Kernel } from '@annals/kernel';
import type { Actor, Instant, MessageId } from '@annals/kernel/domain';
import { UserAccess } from '@annals/users';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { reject } from '../../domain/rejections';
import { MAX_ANSWER_BYTES, MAX_SOURCE_BYTES, bytesOf, trimAroundAnchor, withChangesWithinBudget } from './page-budget';
import { MessageFinder } from './message-finder';
import type { LoadedMessages } from '../content/message-row';
import { loadMessages } from '../content/message-row';
import { withoutUnseenPast } from '../content/readable-past';
import { sendersOf, withoutStrangers } from '../content/inaccessible-users';
import type { Term } from '../narrow/narrow-terms';
import { NarrowResolver } from '../narrow/narrow-resolver';
import { readFlags } from '../unread/message-flags-query';
import type { CompiledNarrow } from '../narrow/narrow-compiler';
import { EVERYTHING } from '../narrow/narrow-compiler';
import { readTextBytes } from '../content/texts';

/** Stands for "after everything" on the wire (contract/boot.md section 10). */
export const NEWEST = 10_000_000_000_000_000;

/** The anchor of a page; a number is a message's id, which need not exist. */
export type Anchor = number | 'newest' | 'oldest' | 'first unread' | { readonly sentSince: Instant };

/** A page of the messages of a narrow. */
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

/** A page of messages (contract/boot.md section 10). If their texts are too long together, only those nearest to the anchor. */
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
    private readonly narrows: NarrowResolver,
    private readonly acquaintances: UserAccess,
  ) {}

  async execute({ by, terms, page, asHtml }: GetMessages): Promise<FoundMessages> {
    const narrow = await this.narrows.resolve(by, terms);
    const anchor = await this.resolve(by, narrow, page.anchor);
    const found = await this.around(by, narrow, { ...page, anchor });
    const bytes = await bytesOfMany(this.kernel, by, found.ids);
    const { ids: read } = await trimAroundAnchor(found.ids, anchor, MAX_SOURCE_BYTES, (id) => bytes.get(id) ?? 0);
    const all = await seen(this.kernel, this.acquaintances, by, read);
    const request = { asker: askerOf(by), asHtml };
    const fitting = await trimAroundAnchor(all.ids, anchor, MAX_ANSWER_BYTES, (id) =>
      all.loaded.rendered.isSpent ? null : bytesOf(id, all.loaded, request),
    );
    const { ids } = fitting;
    const loaded = await withChangesWithinBudget(all.loaded, fitting, request);
    return {
      ...{ ...all, ids, loaded, anchor },
      foundAnchor: found.foundAnchor && ids.includes(anchor as MessageId),
      foundOldest: found.foundOldest && read[0] === found.ids[0] && ids[0] === all.ids[0],
      foundNewest: found.foundNewest && read.at(-1) === found.ids.at(-1) && ids.at(-1) === all.ids.at(-1),
    };
  }

  private async resolve(by: Actor, narrow: CompiledNarrow, anchor: Anchor): Promise<number> {
    if (typeof anchor === 'number') return Math.min(Math.max(anchor, 0), NEWEST);
    if (anchor === 'newest') return NEWEST;
    if (anchor === 'oldest') return 0;
    if (anchor === 'first unread') return (await this.finder.firstUnread(by, narrow)) ?? NEWEST;
    const since = await this.finder.sentSince(by.realmId, anchor.sentSince);
    const [first] = await this.finder.find(by, { narrow, range: from(since), order: 'oldest first', limit: 1 });
    return first ?? NEWEST;
  }

  /** Reads one message more than requested, to know whether the anchor exists and whether there are more. */
  private async around(by: Actor, narrow: CompiledNarrow, page: Page & { readonly anchor: number }) {
    const { anchor, includeAnchor } = page;
    const [fromOldest, fromNewest] = [anchor === 0, anchor === NEWEST];
    const earlier = fromOldest
      ? []
      : await this.finder.find(by, {
          narrow,
          range: { after: 0, before: anchor },
          order: 'newest first',
          limit: Math.max(page.before, 1),
        });
    const later = fromNewest
      ? []
      : await this.finder.find(by, { narrow, range: from(anchor), order: 'oldest first', limit: page.after + 1 });
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
 * @throws Rejected BAD_REQUEST if their texts are too long together
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
    private readonly narrows: NarrowResolver,
    private readonly acquaintances: UserAccess,
  ) {}

  async execute({ by, terms, ids, asHtml }: GetMessagesById): Promise<SeenMessages> {
    const narrow = await this.narrows.resolve(by, terms);
    const visible = await this.finder.visible(by, narrow, ids);
    const bytes = await bytesOfMany(this.kernel, by, visible);
    if ([...bytes.values()].reduce((sum, one) => sum + one, 0) > MAX_SOURCE_BYTES) throw reject.tooMuchText();
    const found = await seen(this.kernel, this.acquaintances, by, visible);
    const request = { asker: askerOf(by), asHtml };
    let budget = MAX_ANSWER_BYTES;
    for (const id of found.ids) {
      budget -= await bytesOf(id, found.loaded, request);
      if (budget < 0) throw reject.tooMuchText();
    }
    return { ...found, loaded: await withChangesWithinBudget(found.loaded, { ids: found.ids, budget }, request) };
  }
}

/**
 * One message (contract/messages.md section 4.2).
 *
 * @throws Rejected BAD_REQUEST for a message that the actor cannot see, as for one that does not exist
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

/** Key of a user for the fair sharing of rendering work. */
export const askerOf = ({ realmId, userId }: Pick<Actor, 'realmId' | 'userId'>): string => `${realmId}:${userId}`;

/** So many messages are read together without knowing how long their texts are. */
const FEW = 100;

/** Bytes of the texts of many messages; of few messages they are not needed. */
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
