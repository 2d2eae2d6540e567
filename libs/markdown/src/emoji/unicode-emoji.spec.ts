import { earlierEmojiCode } from './earlier-emoji-names';
import { UNICODE_EMOJI, unicodeEmojiCode } from './unicode-emoji';

describe('Unicode emoji', () => {
  it.each([
    ['+1', '1f44d'],
    ['thumbs_up', '1f44d'],
    ['like', '1f44d'],
    ['tada', '1f389'],
    ['one', '0031-20e3'],
    ['heart', '2764'],
    ['octopus', '1f419'],
    ['smile', '1f642'],
    ['happy', '1f600'],
    ['big_smile', '1f604'],
    ['dog', '1f415'],
    ['puppy', '1f436'],
    ['cat', '1f408'],
    ['point_up', '1f446'],
    ['rainbow_flag', '1f3f3-200d-1f308'],
    ['flag_germany', '1f1e9-1f1ea'],
    ['flag_curaçao', '1f1e8-1f1fc'],
    ['flag_curacao', '1f1e8-1f1fc'],
    ['working_on_it', '1f6e0'],
    ['check', '2705'],
    ['time_ticking', '23f3'],
    ['phoenix', '1f426-200d-1f525'],
    ['fingerprint', '1fac6'],
  ])('has %s for %s', (name, code) => {
    expect(unicodeEmojiCode(name)).toBe(code);
    expect(UNICODE_EMOJI.get(code)).toContain(name);
  });

  it('knows the canonical name', () => {
    expect(UNICODE_EMOJI.get('1f44d')?.[0]).toBe('+1');
    expect(UNICODE_EMOJI.get('1f389')?.[0]).toBe('tada');
  });

  it('has codes and names that can be written, each name once', () => {
    expect(UNICODE_EMOJI.size).toBeGreaterThan(1_800);
    const names = [...UNICODE_EMOJI.values()].flat();
    expect(names.length).toBeGreaterThan(2_950);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[\p{Ll}\p{Lo}\d_+-]+$/u.test(name))).toEqual([]);
    expect(
      [...UNICODE_EMOJI].filter(([code, own]) => !/^[0-9a-f]{4,5}(-[0-9a-f]{4,5})*$/.test(code) || !own[0]),
    ).toEqual([]);
    expect([...UNICODE_EMOJI.keys()].filter((code) => code.includes('fe0f'))).toEqual([]);
  });

  it('does not have other names', () => {
    for (const name of ['', 'constructor', '1f44d', 'TADA', 'red heart', 'clock1', 'skin-tone-2'])
      expect(unicodeEmojiCode(name)).toBeUndefined();
  });
});

describe('the names before those of Zulip', () => {
  it.each([
    ['tada', '1f389'],
    ['smile', '1f642'],
    ['dog', '1f436'],
    ['cat', '1f431'],
    ['point_up', '261d'],
    ['germany', '1f1e9-1f1ea'],
    ['clock1', '1f550'],
  ])('have %s for %s', (name, code) => {
    expect(earlierEmojiCode(name)).toBe(code);
  });

  it('do not have what only Zulip names', () => {
    for (const name of ['happy', 'flag_curaçao', 'constructor', '']) expect(earlierEmojiCode(name)).toBeUndefined();
  });
});
