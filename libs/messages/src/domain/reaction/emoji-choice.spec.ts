import { Rejected } from '@annals/kernel/domain';
import type { EmojiInput, KnownEmoji } from './emoji-choice';
import { chosenToAdd, chosenToRemove } from './emoji-choice';
import type { Emoji } from './reaction';

const UNICODE: Readonly<Record<string, string>> = { tada: '1f389', party: '1f389', heart: '2764' };
const known: KnownEmoji = {
  custom: [
    { id: 1, name: 'heart', isDeactivated: false },
    { id: 2, name: 'tada', isDeactivated: true },
    { id: 3, name: 'zulip', isDeactivated: true },
  ],
  unicodeCode: (name) => UNICODE[name],
  isUnicode: (code) => Object.values(UNICODE).includes(code),
};
const without: KnownEmoji = { ...known, custom: [] };
const input = (fields: Partial<EmojiInput>): EmojiInput => ({
  name: undefined,
  code: undefined,
  type: undefined,
  ...fields,
});
const tada: Emoji = { type: 'unicode_emoji', code: '1f389', name: 'tada' };

const refusal = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof Rejected) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'granted';
};

describe('the emoji to add', () => {
  it.each<[string, Partial<EmojiInput>, KnownEmoji, Emoji]>([
    ['own before Unicode', { name: 'heart' }, known, { type: 'realm_emoji', code: '1', name: 'heart' }],
    [
      'Unicode where there is no own',
      { name: 'heart' },
      without,
      { type: 'unicode_emoji', code: '2764', name: 'heart' },
    ],
    ['Unicode before a deactivated one', { name: 'tada' }, known, tada],
    ['the extra one', { name: 'zulip' }, known, { type: 'zulip_extra_emoji', code: 'zulip', name: 'zulip' }],
    ['by any name it has', { name: 'party', code: '1f389', type: 'unicode_emoji' }, known, { ...tada, name: 'party' }],
    [
      'with the selector of presentation',
      { name: 'heart', code: '2764-fe0f', type: 'unicode_emoji' },
      without,
      { type: 'unicode_emoji', code: '2764', name: 'heart' },
    ],
    ['a code for its type', { name: 'tada', code: '1f389' }, known, tada],
    ['a type for its code', { name: 'tada', type: 'unicode_emoji' }, known, tada],
  ])('is found: %s', (_, fields, among, emoji) => {
    expect(chosenToAdd(input(fields), [], among)).toEqual(emoji);
  });

  it.each<[Partial<EmojiInput>, string]>([
    [{}, "Missing 'emoji_name' argument"],
    [{ code: '1f389' }, "Missing 'emoji_name' argument"],
    [{ name: 'nope' }, "Emoji 'nope' does not exist"],
    [{ name: 'nope', code: '1f389' }, "Emoji 'nope' does not exist"],
    [{ name: 'tada', code: 'xyz' }, 'Invalid emoji code.'],
    [{ name: 'tada', code: '1F389' }, 'Invalid emoji code.'],
    [{ name: 'tada', code: '' }, 'Invalid emoji code.'],
    [{ name: 'tada', code: '2764' }, 'Invalid emoji name.'],
    [{ name: 'nope', code: '1f389', type: 'unicode_emoji' }, 'Invalid emoji name.'],
    [{ name: 'heart', code: '1f389', type: 'unicode_emoji' }, 'Invalid emoji name.'],
    [{ name: 'heart', type: 'unicode_emoji' }, 'Invalid emoji code.'],
    [{ name: 'zulip', code: 'zuul', type: 'zulip_extra_emoji' }, 'Invalid emoji code.'],
    [{ name: 'zuul', code: 'zulip', type: 'zulip_extra_emoji' }, 'Invalid emoji name.'],
    [{ name: 'heart', code: '9', type: 'realm_emoji' }, 'Invalid custom emoji.'],
    [{ name: 'tada', code: '1', type: 'realm_emoji' }, 'Invalid custom emoji name.'],
    [{ name: 'tada', code: '2', type: 'realm_emoji' }, 'This custom emoji has been deactivated.'],
  ])('is refused: %j', (fields, why) => {
    expect(refusal(() => chosenToAdd(input(fields), [], known))).toBe(`BAD_REQUEST ${why}`);
  });

  it('has the name that others used, whether or not it still exists', () => {
    const gone: Emoji = { type: 'realm_emoji', code: '2', name: 'tada' };
    const present = [tada, gone];
    expect(chosenToAdd(input({ name: 'party' }), present, known)).toBe(tada);
    expect(chosenToAdd(input({ name: '?', code: '2', type: 'realm_emoji' }), present, known)).toBe(gone);
    expect(refusal(() => chosenToAdd(input({ name: '?' }), present, known))).toBe(
      "BAD_REQUEST Emoji '?' does not exist",
    );
  });
});

describe('the emoji to remove', () => {
  const gone: Emoji = { type: 'realm_emoji', code: '2', name: 'logo' };

  it.each<[Partial<EmojiInput>, Pick<Emoji, 'type' | 'code'>]>([
    [{ code: 'anything' }, { type: 'unicode_emoji', code: 'anything' }],
    [
      { name: 'heart', code: '1', type: 'realm_emoji' },
      { type: 'realm_emoji', code: '1' },
    ],
    [{ name: 'party' }, { type: 'unicode_emoji', code: '1f389' }],
    [{ name: 'tada' }, { type: 'unicode_emoji', code: '1f389' }],
    [
      { name: 'logo', type: 'realm_emoji' },
      { type: 'realm_emoji', code: '2' },
    ],
  ])('is named by %j', (fields, emoji) => {
    expect(chosenToRemove(input(fields), [tada, gone], known)).toEqual(emoji);
  });

  it('is refused without a name or code', () => {
    expect(refusal(() => chosenToRemove(input({}), [tada], known))).toMatch('BAD_REQUEST At least one');
    expect(refusal(() => chosenToRemove(input({ name: 'nope' }), [tada], known))).toMatch('BAD_REQUEST Emoji');
  });
});
