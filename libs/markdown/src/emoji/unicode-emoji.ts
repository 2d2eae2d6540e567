import cldr from 'emojibase-data/en/shortcodes/cldr.json';
import iamcal from 'emojibase-data/en/shortcodes/iamcal.json';
import { codeOfHex } from './earlier-emoji-names';
import { ZULIP_EMOJI } from './zulip-emoji';

/** Clock faces and tones of skin, which have no name in Zulip. */
const WITHOUT_NAME = /^1f5(?:5[0-9a-f]|6[0-7])$|^1f3f[b-f]$/;

/** Names in Zulip of each Unicode emoji in its table, by code. */
export const ZULIP_NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  ZULIP_EMOJI.trim()
    .split(/[;\n]/)
    .map((emoji) => {
      const [code = '', ...names] = emoji.split(' ');
      return [code, names] as const;
    }),
);

/** Names by code: those of Zulip, and of emoji that its table does not have yet the name in Unicode (CLDR). */
function gather(): ReadonlyMap<string, readonly string[]> {
  const namesByCode = new Map(ZULIP_NAMES);
  const names: Readonly<Record<string, string | readonly string[]>> = cldr;
  for (const hexcode of Object.keys(iamcal)) {
    const code = codeOfHex(hexcode);
    const [name] = [names[hexcode] ?? []].flat();
    if (name !== undefined && !namesByCode.has(code) && !WITHOUT_NAME.test(code)) namesByCode.set(code, [name]);
  }
  return namesByCode;
}

/** Names of every Unicode emoji by its code, the canonical one first: what clients fetch (contract/boot.md section 3). */
export const UNICODE_EMOJI = gather();

const codeByName = new Map([...UNICODE_EMOJI].flatMap(([code, names]) => names.map((name) => [name, code] as const)));

/** Code of the Unicode emoji that a name means now: `+1` is `1f44d`. */
export const unicodeEmojiCode = (name: string): string | undefined => codeByName.get(name);
