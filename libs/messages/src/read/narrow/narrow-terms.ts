import { Rejected, t } from '@annals/kernel/domain';
import type { Static } from '@annals/kernel/domain';
import type { NamedPeople } from '../../domain/recipients';
import type { Phrase } from '../search/search-query';
import { phrasesOf } from '../search/search-query';

/** contract/boot.md section 10.1 */
export const badNarrow = ({ desc }: { desc: string }): Rejected =>
  new Rejected('BAD_NARROW', `Invalid narrow operator: ${desc}`, { desc });

/** A narrow in a request: objects, pairs, or both. */
export const narrowSchema = t.Array(
  t.Union([
    t.Object(
      { operator: t.String(), operand: t.Unknown(), negated: t.Optional(t.Boolean()) },
      { additionalProperties: false },
    ),
    t.Tuple([t.String(), t.Unknown()]),
  ]),
  { maxItems: 100 },
);
export type WireNarrow = Static<typeof narrowSchema>;

/** The condition of a term, before names are looked up. */
export type Condition =
  | Criterion
  /** The topic or conversation that a message is in now, whatever other terms name. */
  | { readonly kind: 'with'; readonly id: number };

/** A condition that can be checked for one message. */
export type Criterion =
  | { readonly kind: 'channel'; readonly channel: number | string }
  | { readonly kind: 'channels'; readonly which: 'public' | 'web-public' | 'archived' }
  | { readonly kind: 'topic'; readonly topic: string }
  | { readonly kind: 'conversation'; readonly people: NamedPeople }
  | { readonly kind: 'conversation including'; readonly people: NamedPeople }
  /** Conversations of three or more users. */
  | { readonly kind: 'group conversation including'; readonly people: NamedPeople }
  | { readonly kind: 'direct' | 'followed' | 'muted' | 'resolved' }
  /** The reader's flags of the message. `mentioned` is by name, as a member of a group, or by a wildcard. */
  | { readonly kind: 'mentioned' }
  | { readonly kind: 'unread' }
  | { readonly kind: 'starred' }
  | { readonly kind: 'alerted' }
  /** The text mentions a user by name. */
  | { readonly kind: 'mentions'; readonly user: number | string }
  /** All messages, or those that are not muted: in all channels, or in the channel of another term. */
  | { readonly kind: 'in'; readonly view: 'all' | 'home' }
  | { readonly kind: 'sender'; readonly sender: number | string }
  | { readonly kind: 'message'; readonly id: number }
  | { readonly kind: 'has'; readonly what: 'link' | 'image' | 'attachment' | 'reaction' }
  /** The text or its topic has all of these phrases. */
  | { readonly kind: 'search'; readonly phrases: readonly Phrase[] }
  /** An anchor, which excludes no message. */
  | { readonly kind: 'near' };

export interface NarrowTerm<Asked extends Condition = Condition> {
  readonly condition: Asked;
  readonly negated: boolean;
}

const DIRECT = ['conversation', 'conversation including', 'group conversation including', 'direct'] as const;

/** @throws Rejected BAD_NARROW for terms that no message can match together */
export function refuseContradictions(terms: readonly NarrowTerm<Criterion>[]): void {
  const wanted = new Set(terms.filter(({ negated }) => !negated).map(({ condition }) => condition.kind));
  const direct = DIRECT.some((kind) => wanted.has(kind));
  if (direct && (wanted.has('channel') || wanted.has('channels') || wanted.has('topic'))) {
    throw badNarrow({ desc: 'a channel or topic cannot be combined with direct messages' });
  }
}

/** @throws Rejected BAD_NARROW for an unknown operator or an invalid operand */
export const parseNarrow = (narrow: WireNarrow): NarrowTerm[] =>
  narrow.map((term): NarrowTerm => {
    const [operator, operand, negated] = Array.isArray(term)
      ? [...term, false]
      : [term.operator, term.operand, term.negated ?? false];
    return { condition: parseTerm(operator, operand), negated };
  });

function parseTerm(operator: string, operand: unknown): Condition {
  switch (operator) {
    case 'channel':
    case 'stream':
      return { kind: 'channel', channel: idOrText(operator, operand) };
    case 'channels':
    case 'streams':
      return { kind: 'channels', which: oneOf(operator, operand, ['public', 'web-public', 'archived']) };
    case 'topic':
      return { kind: 'topic', topic: text(operator, operand) };
    case 'dm':
    case 'pm-with':
      return { kind: 'conversation', people: people(operator, operand) };
    case 'dm-including':
      return { kind: 'conversation including', people: people(operator, operand) };
    case 'group-pm-with':
      return { kind: 'group conversation including', people: people(operator, operand) };
    case 'is':
      return { kind: kindOf(oneOf(operator, operand, IS)) };
    case 'mentions':
      return { kind: 'mentions', user: idOrText(operator, operand) };
    case 'in':
      return { kind: 'in', view: oneOf(operator, operand, ['all', 'home']) };
    case 'sender':
      return { kind: 'sender', sender: idOrText(operator, operand) };
    case 'id':
      return { kind: 'message', id: messageId(operator, operand) };
    case 'has':
      return { kind: 'has', what: oneOf(operator, operand, ['link', 'image', 'attachment', 'reaction']) };
    case 'search':
      return { kind: 'search', phrases: phrasesIn(operator, operand) };
    case 'near':
      messageId(operator, operand);
      return { kind: 'near' };
    case 'with':
      return { kind: 'with', id: messageId(operator, operand) };
    default:
      throw badNarrow({ desc: `unknown operator ${operator}` });
  }
}

/** The operands of `is`. */
const IS = ['dm', 'private', 'followed', 'muted', 'resolved', 'mentioned', 'unread', 'starred', 'alerted'] as const;

const kindOf = (word: (typeof IS)[number]) => (word === 'dm' || word === 'private' ? 'direct' : word);

const invalidOperand = (operator: string) => badNarrow({ desc: `invalid operand of ${operator}` });

function text(operator: string, operand: unknown): string {
  if (typeof operand !== 'string') throw invalidOperand(operator);
  return operand;
}

function phrasesIn(operator: string, operand: unknown): readonly Phrase[] {
  const written = text(operator, operand);
  if (written.trim() === '') throw invalidOperand(operator);
  return phrasesOf(written);
}

function oneOf<Word extends string>(operator: string, operand: unknown, words: readonly Word[]): Word {
  const word = words.find((one) => one === operand);
  if (word === undefined) throw invalidOperand(operator);
  return word;
}

function idOrText(operator: string, operand: unknown): number | string {
  return Number.isSafeInteger(operand) ? (operand as number) : text(operator, operand);
}

function messageId(operator: string, operand: unknown): number {
  const id = typeof operand === 'string' && /^\d{1,15}$/.test(operand) ? Number(operand) : operand;
  if (!Number.isSafeInteger(id) || (id as number) < 0) throw invalidOperand(operator);
  return id as number;
}

/** One id, a list of ids, or emails joined by commas. */
function people(operator: string, operand: unknown): NamedPeople {
  if (Number.isSafeInteger(operand)) return [operand as number];
  if (typeof operand === 'string') {
    const emails = operand.split(',').map((email) => email.trim());
    return emails.filter((email) => email !== '');
  }
  if (!Array.isArray(operand) || !operand.every((id) => Number.isSafeInteger(id))) throw invalidOperand(operator);
  return operand as number[];
}
