import cldr from 'emojibase-data/en/shortcodes/cldr.json';
import emojibase from 'emojibase-data/en/shortcodes/emojibase.json';
import github from 'emojibase-data/en/shortcodes/github.json';
import iamcal from 'emojibase-data/en/shortcodes/iamcal.json';
import joypixels from 'emojibase-data/en/shortcodes/joypixels.json';

type Names = Readonly<Record<string, string | readonly string[]>>;

/**
 * The sources of names, in order of precedence. Beside the data there are names that clients define themselves, with
 * codes of their own. First are those that mean another emoji in the data.
 */
const SOURCES: readonly Names[] = [
  { '1F642': 'smile' },
  ...[iamcal, cldr, joypixels, github, emojibase],
  { '1F6E0': 'working_on_it', '2705': 'check', '23F3': 'time_ticking' },
];

/** A text that can be written between colons. */
const NAME = /^[a-z0-9_+-]{1,60}$/;

/** Code of an emoji: lower-case hex joined by dashes, without the selector of presentation (contract/boot.md section 3). */
export const codeOfHex = (hexcode: string): string => hexcode.toLowerCase().replaceAll('-fe0f', '');

function gather(): ReadonlyMap<string, string> {
  const hexcodes = Object.keys(iamcal);
  const codeByName = new Map<string, string>();
  for (const source of SOURCES) {
    for (const hexcode of hexcodes) {
      for (const name of [source[hexcode] ?? []].flat()) {
        if (NAME.test(name) && !codeByName.has(name)) codeByName.set(name, codeOfHex(hexcode));
      }
    }
  }
  return codeByName;
}

let codes: ReadonlyMap<string, string> | undefined;

/**
 * Code of the Unicode emoji that a name meant before this server had the names of Zulip. Stored texts without a mark of
 * their emoji names are read by it, so that they keep their emoji.
 */
export const earlierEmojiCode = (name: string): string | undefined => (codes ??= gather()).get(name);
