import { Kernel } from '@annals/kernel';
import type { Actor, MessageId } from '@annals/kernel/domain';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { reject } from '../../domain/rejections';
import { MAX_ANSWER_BYTES, MAX_SOURCE_BYTES, trimAroundAnchor, withChangesWithinBudget } from './page-budget';
import { MessageFinder } from './message-finder';
import { MessageContents } from '../content/message-json';
import type { NarrowTerm } from '../narrow/narrow-terms';
import { NarrowResolver } from '../narrow/narrow-resolver';
import type { SeenMessages } from './message-reader';
import { MessageReader } from './message-reader';
import type { MessagePage } from './message-pages';
import { MessagePages } from './message-pages';
import type { CompiledNarrow } from '../narrow/compiled-narrow';
import type { LoadedMessages } from '../content/message-row';
import { readTextBytes } from '../content/texts';
import { SearchMatches } from './search-matches';

/** The same for an answer with many of them. */
export interface ListedMessages extends SeenMessages {
  readonly contents: MessageContents;
  /** Null where no words are searched for. */
  readonly matches: SearchMatches | null;
}

export interface FoundMessages extends ListedMessages {
  readonly anchor: number;
  readonly foundAnchor: boolean;
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
}

/** A page of messages (contract/boot.md section 10). If their texts are too long together, only those nearest to the anchor. */
export class GetMessages extends Query<FoundMessages> {
  constructor(
    readonly by: Actor,
    readonly terms: readonly NarrowTerm[],
    readonly page: MessagePage,
    readonly asHtml: boolean,
  ) {
    super();
  }
}

@QueryHandler(GetMessages)
export class GetMessagesHandler implements IQueryHandler<GetMessages> {
  constructor(
    private readonly kernel: Kernel,
    private readonly pages: MessagePages,
    private readonly narrows: NarrowResolver,
    private readonly reader: MessageReader,
  ) {}

  async execute({ by, terms, page, asHtml }: GetMessages): Promise<FoundMessages> {
    const narrow = await this.narrows.resolve(by, terms);
    const { anchor, ...found } = await this.pages.find(by, narrow, page);
    const bytes = await bytesOfMany(this.kernel, by, found.ids);
    const { ids: read } = await trimAroundAnchor(found.ids, anchor, MAX_SOURCE_BYTES, (id) => bytes.get(id) ?? 0);
    const all = await this.reader.read(by, read);
    const request = { asker: askerOf(by), asHtml };
    const contents = new MessageContents(all.loaded, request);
    const matches = matchesOf(narrow, all.loaded, request.asker);
    const fitting = await trimAroundAnchor(all.ids, anchor, MAX_ANSWER_BYTES, (id) =>
      all.loaded.rendered.isSpent ? null : prepare(id, contents, matches),
    );
    await matches?.highlight(this.kernel.database.pool);
    const { ids } = fitting;
    const loaded = await withChangesWithinBudget(all.loaded, fitting, request);
    return {
      contents,
      matches,
      anchor,
      ...all,
      ids,
      loaded,
      foundAnchor: found.foundAnchor && ids.includes(anchor as MessageId),
      foundOldest: found.foundOldest && read[0] === found.ids[0] && ids[0] === all.ids[0],
      foundNewest: found.foundNewest && read.at(-1) === found.ids.at(-1) && ids.at(-1) === all.ids.at(-1),
    };
  }
}

/**
 * Messages by their ids (contract/boot.md section 10). Those that the actor may not see, or that do not match the terms, are left
 * out. With `asListed`, so are those that `GetMessages` does not find because the actor did not receive them.
 *
 * @throws Rejected BAD_REQUEST if their texts are too long together
 */
export class GetMessagesById extends Query<ListedMessages> {
  constructor(
    readonly by: Actor,
    readonly terms: readonly NarrowTerm[],
    readonly ids: readonly number[],
    readonly options: { readonly asHtml: boolean; readonly asListed?: boolean },
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
    private readonly reader: MessageReader,
  ) {}

  async execute({ by, terms, ids, options }: GetMessagesById): Promise<ListedMessages> {
    const { asHtml, asListed = false } = options;
    const narrow = await this.narrows.resolve(by, terms);
    const visible = await (asListed ? this.finder.among(by, narrow, ids) : this.finder.visible(by, narrow, ids));
    const bytes = await bytesOfMany(this.kernel, by, visible);
    if ([...bytes.values()].reduce((sum, one) => sum + one, 0) > MAX_SOURCE_BYTES) throw reject.tooMuchText();
    const found = await this.reader.read(by, visible);
    const request = { asker: askerOf(by), asHtml };
    const contents = new MessageContents(found.loaded, request);
    const matches = matchesOf(narrow, found.loaded, request.asker);
    let budget = MAX_ANSWER_BYTES;
    for (const id of found.ids) {
      budget -= await prepare(id, contents, matches);
      if (budget < 0) throw reject.tooMuchText();
    }
    await matches?.highlight(this.kernel.database.pool);
    const loaded = await withChangesWithinBudget(found.loaded, { ids: found.ids, budget }, request);
    return { ...found, loaded, contents, matches };
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
  constructor(private readonly reader: MessageReader) {}

  async execute({ by, id }: GetMessage): Promise<SeenMessages> {
    const found = await this.reader.read(by, [id as MessageId]);
    if (found.ids.length === 0) throw reject.unknownMessage();
    return found;
  }
}

const matchesOf = ({ highlighted }: CompiledNarrow, loaded: LoadedMessages, asker: string): SearchMatches | null =>
  highlighted && new SearchMatches(loaded, highlighted, asker);

/** @returns bytes of the message's text in the answer, which has it twice if words are highlighted */
const prepare = (id: MessageId, contents: MessageContents, matches: SearchMatches | null) =>
  matches ? prepareBoth(id, contents, matches) : contents.prepare(id);

const prepareBoth = async (id: MessageId, contents: MessageContents, matches: SearchMatches) =>
  (await contents.prepare(id)) + (await matches.prepare(id));

/** Key of a user for the fair sharing of rendering work. */
export const askerOf = ({ realmId, userId }: Pick<Actor, 'realmId' | 'userId'>): string => `${realmId}:${userId}`;

/** So many messages are read together without knowing how long their texts are. */
const FEW = 100;

/** Bytes of the texts of many messages; of few messages they are not needed. */
const bytesOfMany = async ({ database }: Kernel, { realmId }: Actor, ids: readonly MessageId[]) =>
  ids.length > FEW ? readTextBytes(database.pool, realmId, ids) : new Map<MessageId, number>();
