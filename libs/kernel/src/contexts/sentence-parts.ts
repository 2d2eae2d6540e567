import type { Recorded } from '../domain/index';

/** Kinds of things that have a name, by the names of their subjects. Messages have a number only. */
export type NamedKind =
  | 'user'
  | 'channel'
  | 'topic'
  | 'group'
  | 'message'
  | 'file'
  | 'emoji'
  | 'channel-folder'
  | 'default-channel-group'
  | 'profile-field';

/** Something that has a name at each position of the log. A sentence shows the name that it had then. */
export interface NamedThing {
  readonly kind: NamedKind;
  readonly id: number;
  /** The name that it had before this event, not after it. */
  readonly before?: true;
  /** The name alone, without a word for what it is: “plan” and not the topic “plan”. */
  readonly bare?: true;
  /** What readers see who may not know the name, such as `another name`. By default its kind, such as `a topic`. */
  readonly instead?: string;
}

/** Text of a person. Null if it was erased. */
export interface QuotedText {
  readonly words: string | null;
  /** What readers see who may not read the text, such as `a text`. */
  readonly instead: string;
}

/** A part of a sentence. */
export type SentencePart = string | NamedThing | QuotedText;

type Options = Omit<NamedThing, 'kind' | 'id'>;
const named =
  (kind: NamedKind) =>
  (id: number, options: Options = {}): NamedThing => ({ kind, id, ...options });

/** Makes the part of a sentence that names a thing, such as `thing.user(7)`. */
export const thing = {
  user: named('user'),
  channel: named('channel'),
  topic: named('topic'),
  group: named('group'),
  message: named('message'),
  file: named('file'),
  emoji: named('emoji'),
  folder: named('channel-folder'),
  defaultGroup: named('default-channel-group'),
  profileField: named('profile-field'),
} as const;

/** A text of a person in quotation marks. @param instead what readers without the right see */
export const quoted = (words: string | null, instead: string): QuotedText => ({ words, instead });

/** The sealed part of an event, or a part of it. Null if it was erased. */
export function wordsOf<Words, Part>(
  { sealed }: { readonly sealed: Words | 'erased' },
  pick: (words: Words) => Part,
): Part | null {
  return sealed === 'erased' ? null : pick(sealed);
}

/** How many things a list names. The others are counted. */
const MOST_NAMED = 5;

/** "a, b and c". Of a long list: "a, b, c and 17 others". */
export function listed(parts: readonly SentencePart[]): SentencePart[] {
  if (parts.length <= MOST_NAMED) return joined(parts);
  const named = parts.slice(0, MOST_NAMED - 2);
  return joined([...named, `${parts.length - named.length} others`]);
}

function joined(parts: readonly SentencePart[]): SentencePart[] {
  const last = parts.length - 1;
  return parts.flatMap((part, n) => (n === 0 ? [part] : [n === last ? ' and ' : ', ', part]));
}

/** "1 message", "12 messages". */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** "Ada’s" or, if the actor is the user, "their". */
export const possessive = ({ actorId }: Pick<Recorded, 'actorId'>, user: number): SentencePart[] =>
  actorId === user ? ['their'] : [thing.user(user), '’s'];
