import emojis from 'emojibase-data/en/compact.json';
import cldr from 'emojibase-data/en/shortcodes/cldr.json';
import emojibase from 'emojibase-data/en/shortcodes/emojibase.json';
import github from 'emojibase-data/en/shortcodes/github.json';
import iamcal from 'emojibase-data/en/shortcodes/iamcal.json';
import joypixels from 'emojibase-data/en/shortcodes/joypixels.json';

type Names = Readonly<Record<string, string | readonly string[]>>;

/**
 * Where names come from, in the order in which they count: what the first calls an emoji is its canonical name. The last are
 * names that clients offer by themselves, and in no data.
 */
const SOURCES: readonly Names[] = [
  ...[iamcal, cldr, joypixels, github, emojibase],
  { '1F6E0': 'working_on_it', '2705': 'check', '23F3': 'time_ticking' },
];

/** What can be written between colons. */
const NAME = /^[a-z0-9_+-]{1,60}$/;

interface Emoji {
  readonly namesByCode: ReadonlyMap<string, readonly string[]>;
  readonly codeByName: ReadonlyMap<string, string>;
}

/** Lower-case hex joined by dashes, without the selector of presentation (contract/boot.md section 3). */
const codeOf = (hexcode: string): string => hexcode.toLowerCase().replaceAll('-fe0f', '');

/** All emoji of the first source, without those that only differ in skin tone; a name means one of them. */
function gather(): Emoji {
  const hexcodes = Object.keys(SOURCES[0] ?? {});
  const namesByCode = new Map<string, string[]>();
  const codeByName = new Map<string, string>();
  for (const source of SOURCES) {
    for (const hexcode of hexcodes) {
      const code = codeOf(hexcode);
      const names = namesByCode.get(code) ?? [];
      namesByCode.set(code, names);
      for (const name of [source[hexcode] ?? []].flat()) {
        if (codeByName.has(name) || !NAME.test(name)) continue;
        codeByName.set(name, code);
        names.push(name);
      }
    }
  }
  return { namesByCode, codeByName };
}

const { namesByCode, codeByName } = gather();

/** Names of every Unicode emoji by its code, the canonical one first: what clients are told (contract/boot.md section 3). */
export const UNICODE_EMOJI = namesByCode;

/** Code of the Unicode emoji that a name means: `+1` is `1f44d`. */
export const unicodeEmojiCode = (name: string): string | undefined => codeByName.get(name);

/**
 * By code, what else an emoji is called: names that mean another one where no code says which, and keywords of Unicode.
 * Gathered when a client first has a name of its own: that takes as long as it takes a process to load all our views.
 */
let otherNames: ReadonlyMap<string, ReadonlySet<string>> | undefined;

function gatherOthers(): ReadonlyMap<string, ReadonlySet<string>> {
  const others = new Map<string, Set<string>>([...namesByCode.keys()].map((code) => [code, new Set()]));
  const add = (hexcode: string, names: readonly string[]) => {
    for (const name of names) others.get(codeOf(hexcode))?.add(name.toLowerCase().replaceAll(' ', '_'));
  };
  for (const source of SOURCES) for (const [hexcode, names] of Object.entries(source)) add(hexcode, [names].flat());
  for (const { hexcode, label, tags = [] } of emojis) add(hexcode, [label, ...tags]);
  return others;
}

/**
 * Whether a Unicode emoji may be called so by somebody who says its code: clients have names of their own, and what is
 * `smile` to one is `slightly_smiling_face` to another.
 */
export const isUnicodeEmojiName = (name: string, code: string): boolean =>
  codeByName.get(name) === code || ((otherNames ??= gatherOthers()).get(code)?.has(name) ?? false);
