import { Rejected, t } from '@annals/kernel/domain';
import type { Static } from '@annals/kernel/domain';
import type { NamedPeople } from '../../domain/recipients';

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
  | { readonly kind: 'direct' | 'followed' | 'muted' }
  /** All messages, or those that are not muted: in all channels, or in the channel of another term. */
  | { readonly kind: 'in'; readonly view: 'all' | 'home' }
  | { readonly kind: 'sender'; readonly sender: number | string }
  | { readonly kind: 'message'; readonly id: number }
  | { readonly kind: 'has'; readonly what: 'link' | 'image' | 'attachment' | 'reaction' }
  /** An anchor, which excludes no message. */
  | { readonly kind: 'near' };

export interface Term<Asked extends Condition = Condition> {
  readonly condition: Asked;
  readonly negated: boolean;
}

/** @throws Rejected BAD_NARROW for an unknown operator or an invalid operand */
export const parseNarrow = (narrow: WireNarrow): Term[] =>
  narrow.map((term): Term => {
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
    case 'is': {
      const word = oneOf(operator, operand, ['dm', 'private', 'followed', 'muted']);
      return { kind: word === 'dm' || word === 'private' ? 'direct' : word };
    }
    case 'in':
      return { kind: 'in', view: oneOf(operator, operand, ['all', 'home']) };
    case 'sender':
      return { kind: 'sender', sender: idOrText(operator, operand) };
    case 'id':
      return { kind: 'message', id: messageId(operator, operand) };
    case 'has':
      return { kind: 'has', what: oneOf(operator, operand, ['link', 'image', 'attachment', 'reaction']) };
    case 'near':
      messageId(operator, operand);
      return { kind: 'near' };
    case 'with':
      return { kind: 'with', id: messageId(operator, operand) };
    default:
      throw badNarrow({ desc: `unknown operator ${operator}` });
  }
}

const invalidOperand = (operator: string) => badNarrow({ desc: `invalid operand of ${operator}` });

function text(operator: string, operand: unknown): string {
  if (typeof operand !== 'string') throw invalidOperand(operator);
  return operand;
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
