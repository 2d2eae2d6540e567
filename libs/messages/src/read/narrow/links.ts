import type { Condition, Criterion, NarrowTerm } from './narrow-terms';
import { badNarrow } from './narrow-terms';

type Link = Extract<Condition, { kind: 'with' }>;

const isLink = (term: NarrowTerm): term is NarrowTerm<Link> => term.condition.kind === 'with';
export const isCriterion = (term: NarrowTerm): term is NarrowTerm<Criterion> => !isLink(term);

/** @returns the message of the operator `with`; null where no term has it */
export function linkOf(terms: readonly NarrowTerm[]): number | null {
  const [link, another] = terms.filter(isLink);
  if (!link) return null;
  if (another || link.negated) throw badNarrow({ desc: 'with can stand once, and not be negated' });
  return link.condition.id;
}

/**
 * The terms with the place of the linked message. If it has none for the reader, the other terms count.
 *
 * @throws Rejected BAD_NARROW if these do not name a place either
 */
export function linked(
  place: readonly Criterion[] | null,
  others: readonly NarrowTerm<Criterion>[],
): readonly NarrowTerm<Criterion>[] {
  if (place) return [...place.map(required), ...others.filter((term) => !namesPlace(term))];
  if (!isPlace(others)) throw badNarrow({ desc: 'invalid operand of with' });
  return others;
}

const required = (condition: Criterion): NarrowTerm<Criterion> => ({ condition, negated: false });

const namesPlace = ({ condition: { kind } }: NarrowTerm<Criterion>): boolean =>
  kind === 'channel' || kind === 'topic' || kind === 'conversation';

/** Whether terms name one topic of a channel, or one conversation. */
function isPlace(terms: readonly NarrowTerm<Criterion>[]): boolean {
  const kinds = new Set(terms.filter(({ negated }) => !negated).map(({ condition }) => condition.kind));
  return kinds.has('conversation') || (kinds.has('channel') && kinds.has('topic'));
}
