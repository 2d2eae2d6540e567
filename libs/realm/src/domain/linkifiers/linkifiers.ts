import type { Actor, Aggregate, Recorded } from '@annals/kernel/domain';
import { fact, fold } from '@annals/kernel/domain';
import { reject } from '../rejections';
import { ensureAdministrator } from '../administrators';
import { ensurePatterns } from './linkifier-rules';
import type { LinkifierEvent, LinkifierText } from './linkifier-events';
import { LinkifierAdded, LinkifierChanged, LinkifierRemoved, LinkifiersReordered } from './linkifier-events';
import type { PatternEngine } from './pattern-engine';

/** A rule that makes texts in messages and names of topics links. */
export interface OwnLinkifier {
  readonly id: number;
  readonly text: LinkifierText;
}

/** Key and name of the one stream of an organization's linkifiers. */
export const LINKIFIERS = 'linkifiers';

/** All linkifiers in their order. One whose texts were erased is left out. */
export const linkifiersAggregate: Aggregate<readonly OwnLinkifier[], LinkifierEvent, typeof LINKIFIERS> = {
  stream: (key) => key,
  initial: [],
  evolve(state, { type, data, sealed }) {
    switch (type) {
      case 'realm.LinkifierAdded':
        return sealed === 'erased' ? state : [...state, { id: data.linkifierId, text: sealed }];
      case 'realm.LinkifierChanged':
        return state.flatMap((one) => {
          if (one.id !== data.linkifierId) return one;
          return sealed === 'erased' ? [] : { id: one.id, text: sealed };
        });
      case 'realm.LinkifierRemoved':
        return state.filter(({ id }) => id !== data.linkifierId);
      case 'realm.LinkifiersReordered':
        return [...state].sort((a, b) => data.order.indexOf(a.id) - data.order.indexOf(b.id));
    }
  },
};

/** The linkifiers right after the event at a position. @param events of their stream */
export const linkifiersAt = (events: readonly Recorded[], position: number): readonly OwnLinkifier[] =>
  fold(
    linkifiersAggregate,
    events.filter((event) => event.position <= position) as readonly Recorded<LinkifierEvent>[],
  );

/** Most linkifiers of one organization: clients load all of them at the start, and each is matched against each text. */
export const MAX_LINKIFIERS = 200;

/** Texts of a linkifier as they were asked for. In a change, what is left out stays as it is. */
export interface LinkifierInput {
  readonly pattern: string;
  readonly urlTemplate: string;
  /** An empty text is none, as in the next one. */
  readonly exampleInput?: string | undefined;
  readonly reverseTemplate?: string | undefined;
  readonly alternativeUrlTemplates?: readonly string[] | undefined;
}

type By = Pick<Actor, 'role'>;

/** @throws Rejected UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for texts that make no linkifier, a duplicate or one too many */
export function addLinkifier(
  state: readonly OwnLinkifier[],
  id: number,
  input: LinkifierInput,
  by: By,
  engine: PatternEngine,
): LinkifierAdded[] {
  ensureAdministrator(by);
  const text = textOf(input, {});
  ensureFits(state, text, engine);
  if (state.length >= MAX_LINKIFIERS) throw reject.tooManyLinkifiers({ limit: MAX_LINKIFIERS });
  return [fact(LinkifierAdded, { linkifierId: id }, text)];
}

/**
 * Changes the texts of a linkifier. Equal ones give no event.
 *
 * @throws Rejected UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for an unknown linkifier and like `addLinkifier`
 */
export function changeLinkifier(
  state: readonly OwnLinkifier[],
  id: number,
  input: LinkifierInput,
  by: By,
  engine: PatternEngine,
): LinkifierChanged[] {
  ensureAdministrator(by);
  const known = found(state, id);
  const text = textOf(input, known.text);
  ensureFits(
    state.filter((one) => one !== known),
    text,
    engine,
  );
  return isSame(text, known.text) ? [] : [fact(LinkifierChanged, { linkifierId: id }, text)];
}

/** @throws Rejected UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for an unknown linkifier */
export function removeLinkifier(state: readonly OwnLinkifier[], id: number, by: By): LinkifierRemoved[] {
  ensureAdministrator(by);
  const { pattern } = found(state, id).text;
  return [fact(LinkifierRemoved, { linkifierId: id }, { pattern })];
}

/**
 * The order in which linkifiers are tried. An equal one gives no event.
 *
 * @throws Rejected UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST unless each linkifier is listed once
 */
export function reorderLinkifiers(
  state: readonly OwnLinkifier[],
  order: readonly number[],
  by: By,
): LinkifiersReordered[] {
  ensureAdministrator(by);
  const known = state.map(({ id }) => id);
  const isComplete = order.length === known.length && new Set(order).size === order.length;
  if (!isComplete || !order.every((id) => known.includes(id))) throw reject.notAllLinkifiers();
  return order.every((id, n) => known[n] === id) ? [] : [fact(LinkifiersReordered, { order: [...order] })];
}

function found(state: readonly OwnLinkifier[], id: number): OwnLinkifier {
  const one = state.find((linkifier) => linkifier.id === id);
  if (!one) throw reject.noSuchLinkifier();
  return one;
}

function textOf(input: LinkifierInput, known: Partial<LinkifierText>): LinkifierText {
  const optional = (given: string | undefined, before: string | undefined) => given?.trim() ?? before ?? '';
  const exampleInput = optional(input.exampleInput, known.exampleInput);
  const reverseTemplate = optional(input.reverseTemplate, known.reverseTemplate);
  const alternativeUrlTemplates = [...(input.alternativeUrlTemplates ?? known.alternativeUrlTemplates ?? [])];
  return {
    pattern: input.pattern,
    urlTemplate: input.urlTemplate,
    ...(exampleInput !== '' && { exampleInput }),
    ...(reverseTemplate !== '' && { reverseTemplate }),
    ...(alternativeUrlTemplates.length > 0 && { alternativeUrlTemplates }),
  };
}

const isSame = (a: LinkifierText, b: LinkifierText): boolean =>
  a.pattern === b.pattern &&
  a.urlTemplate === b.urlTemplate &&
  a.exampleInput === b.exampleInput &&
  a.reverseTemplate === b.reverseTemplate &&
  JSON.stringify(a.alternativeUrlTemplates) === JSON.stringify(b.alternativeUrlTemplates);

/** @param others the other linkifiers of the organization */
function ensureFits(others: readonly OwnLinkifier[], text: LinkifierText, engine: PatternEngine): void {
  ensurePatterns(text, engine);
  if (others.some((one) => one.text.pattern === text.pattern)) throw reject.linkifierExists();
}
