import type { NamedKind, NamedThing, SentencePart } from '@annals/kernel';
import type { EntryAccess } from './entry-access';

/** What a sentence calls the server when it acts by itself. */
const SERVER = 'The server';
const ERASED = '[erased]';
/** Most characters of a quoted text. */
const LONGEST = 100;

/** How things are written whose name the reader may not know. */
const WITHHELD: Readonly<Record<NamedKind, string>> = {
  user: 'a user',
  channel: 'a private channel',
  topic: 'a topic',
  group: 'a group',
  message: 'a message',
  file: 'a file',
  emoji: 'an emoji',
  'channel-folder': 'a folder',
  'default-channel-group': 'a group of default channels',
  'profile-field': 'a profile field',
};

/** Kinds whose names are quoted, with a word for what they are. */
const QUOTED: Readonly<Partial<Record<NamedKind, string>>> = {
  topic: 'the topic',
  group: 'the group',
  file: 'the file',
  'channel-folder': 'the folder',
  'default-channel-group': 'the group of default channels',
  'profile-field': 'the profile field',
};
const UNNAMED_TOPIC = 'the topic without a name';

/** The sentence about an event for one reader. @param actor name of the actor; null for the server itself */
export function sentenceOf(actor: string | null, parts: readonly SentencePart[], access: EntryAccess): string {
  const text = parts.map((part) => written(part, access)).join('');
  return `${actor ?? SERVER} ${text}.`;
}

function written(part: SentencePart, access: EntryAccess): string {
  if (typeof part === 'string') return part;
  if ('kind' in part) return nameOf(part, access);
  if (part.words === null) return ERASED;
  return access.seesWords ? `“${shortened(part.words)}”` : part.instead;
}

function nameOf(named: NamedThing, access: EntryAccess): string {
  const { kind, id } = named;
  if (kind === 'message') return `message ${id}`;
  const portrait = access.portrait(named);
  if (portrait === null) return named.instead ?? WITHHELD[kind];
  if (portrait.name === undefined) return `${kind.replace('-', ' ')} ${id}`;
  if (portrait.name === null) return named.bare ? ERASED : `${QUOTED[kind] ?? WITHHELD[kind]} ${ERASED}`;
  return writtenName(named, shortened(portrait.name));
}

function writtenName({ kind, bare }: NamedThing, name: string): string {
  if (kind === 'channel') return `#${name}`;
  if (kind === 'emoji') return `:${name}:`;
  if (kind === 'topic' && name === '') return UNNAMED_TOPIC;
  const what = QUOTED[kind];
  if (what === undefined) return name;
  return bare ? `“${name}”` : `${what} “${name}”`;
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join('')}…` : line;
}
