import cldr from 'emojibase-data/en/shortcodes/cldr.json';
import emojibase from 'emojibase-data/en/shortcodes/emojibase.json';
import github from 'emojibase-data/en/shortcodes/github.json';
import iamcal from 'emojibase-data/en/shortcodes/iamcal.json';
import joypixels from 'emojibase-data/en/shortcodes/joypixels.json';

type Names = Readonly<Record<string, string | readonly string[]>>;

/**
 * Where names come from, in the order in which they count: what the first calls an emoji is its canonical name. Around the
 * data are names that clients offer by themselves, with codes of their own: first what means another emoji in the data.
 */
const SOURCES: readonly Names[] = [
  { '1F642': 'smile' },
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

/** All emoji of the data, without those that only differ in skin tone; a name means one of them. */
function gather(): Emoji {
  const hexcodes = Object.keys(iamcal);
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
