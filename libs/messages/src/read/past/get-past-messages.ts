import type { Actor, MessageId } from '@annals/kernel/domain';
import { ascending } from '@annals/kernel/domain';
import type { AsOf } from '@annals/realm';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { reject } from '../../domain/rejections';
import type { NarrowTerm } from '../narrow/narrow-terms';
import { askerOf } from '../query/get-messages';
import type { MessagePage } from '../query/message-pages';
import { MAX_ANSWER_BYTES, MAX_SOURCE_BYTES, trimAroundAnchor, withChangesWithinBudget } from '../query/page-budget';
import type { FoundInPast, ListedInPast } from './past-answers';
import { EMPTY_PAGE, contentsOf, nothingFound } from './past-answers';
import { PastFinder } from './narrow/past-finder';
import { loadPast } from './past-loader';
import { PastNarrows } from './narrow/past-narrow';
import { findPastPage } from './narrow/past-page';
import { PastQuestions } from './past-questions';
import { readPastTextBytes } from './past-texts';

/** A page of messages as it was (contract/audit.md section 4.1). Limits are those of `GetMessages`. */
export class GetPastMessages extends Query<FoundInPast> {
  constructor(
    readonly by: Actor,
    readonly asOf: AsOf,
    readonly terms: readonly NarrowTerm[],
    readonly page: MessagePage,
    readonly asHtml: boolean,
  ) {
    super();
  }
}

@QueryHandler(GetPastMessages)
export class GetPastMessagesHandler implements IQueryHandler<GetPastMessages> {
  constructor(
    private readonly questions: PastQuestions,
    private readonly narrows: PastNarrows,
  ) {}

  async execute({ by, asOf, terms, page, asHtml }: GetPastMessages): Promise<FoundInPast> {
    const named = await this.narrows.name(by, asOf.viewer?.userId ?? by.userId, terms);
    const answer = await this.questions.answer(asOf, async (reading) => {
      const finder = new PastFinder(reading, await this.narrows.resolve(reading, named));
      const found = await findPastPage(reading, finder, page);
      const bytes = await readPastTextBytes(reading.reader, found.ids, reading.position);
      const read = await trimAroundAnchor(found.ids, found.anchor, MAX_SOURCE_BYTES, (id) => bytes.get(id) ?? 0);
      const messages = read.ids.flatMap((id) => found.messages.get(id) ?? []);
      return { found, viewer: reading.then, seen: await loadPast(reading, messages) };
    });
    if (!answer) return { ...nothingFound(by, asOf, asHtml), ...EMPTY_PAGE };
    const { found, viewer } = answer;
    const seen = { ...answer.seen, loaded: await this.questions.withPeople(asOf, answer.seen) };
    const request = { asker: askerOf(by), asHtml };
    const contents = contentsOf(seen, request);
    const { anchor, ids: all } = found;
    const fitting = await trimAroundAnchor(seen.ids, anchor, MAX_ANSWER_BYTES, (id) =>
      seen.loaded.rendered.isSpent ? null : contents.prepare(id),
    );
    const { ids } = fitting;
    return {
      ...{ ...seen, ids, contents, anchor, viewer, matches: null, asOfPosition: asOf.position },
      loaded: await withChangesWithinBudget(seen.loaded, fitting, request),
      foundAnchor: found.foundAnchor && ids.includes(anchor as MessageId),
      foundOldest: found.foundOldest && ids[0] === all[0],
      foundNewest: found.foundNewest && ids.at(-1) === all.at(-1),
    };
  }
}

/** Messages by their ids as they were. Those that the account could not read, or that do not match, are left out. */
export class GetPastMessagesById extends Query<ListedInPast> {
  constructor(
    readonly by: Actor,
    readonly asOf: AsOf,
    readonly terms: readonly NarrowTerm[],
    readonly ids: readonly number[],
    readonly asHtml: boolean,
  ) {
    super();
  }
}

@QueryHandler(GetPastMessagesById)
export class GetPastMessagesByIdHandler implements IQueryHandler<GetPastMessagesById> {
  constructor(
    private readonly questions: PastQuestions,
    private readonly narrows: PastNarrows,
  ) {}

  /** @throws Rejected BAD_REQUEST if their texts are too long together */
  async execute({ by, asOf, terms, ids, asHtml }: GetPastMessagesById): Promise<ListedInPast> {
    const named = await this.narrows.name(by, asOf.viewer?.userId ?? by.userId, terms);
    const inOrder = ascending(new Set(ids as readonly MessageId[]));
    const answer = await this.questions.answer(asOf, async (reading) => {
      const finder = new PastFinder(reading, await this.narrows.resolve(reading, named));
      const messages = await finder.matching(inOrder);
      const found = messages.map(({ id }) => id);
      const bytes = await readPastTextBytes(reading.reader, found, reading.position);
      if ([...bytes.values()].reduce((sum, one) => sum + one, 0) > MAX_SOURCE_BYTES) throw reject.tooMuchText();
      return { viewer: reading.then, seen: await loadPast(reading, messages) };
    });
    if (!answer) return nothingFound(by, asOf, asHtml);
    const seen = { ...answer.seen, loaded: await this.questions.withPeople(asOf, answer.seen) };
    const request = { asker: askerOf(by), asHtml };
    const contents = contentsOf(seen, request);
    let budget = MAX_ANSWER_BYTES;
    for (const id of seen.ids) {
      budget -= await contents.prepare(id);
      if (budget < 0) throw reject.tooMuchText();
    }
    const loaded = await withChangesWithinBudget(seen.loaded, { ids: seen.ids, budget }, request);
    return { ...seen, loaded, contents, matches: null, viewer: answer.viewer, asOfPosition: asOf.position };
  }
}
