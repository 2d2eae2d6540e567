import { UNICODE_EMOJI, unicodeEmojiCode } from './unicode-emoji';

describe('Unicode emoji', () => {
  it.each([
    ['+1', '1f44d'],
    ['thumbs_up', '1f44d'],
    ['tada', '1f389'],
    ['one', '0031-20e3'],
    ['heart', '2764'],
    ['octopus', '1f419'],
    ['smile', '1f642'],
    ['slight_smile', '1f642'],
    ['dog', '1f436'],
    ['rainbow_flag', '1f3f3-200d-1f308'],
    ['germany', '1f1e9-1f1ea'],
    ['working_on_it', '1f6e0'],
    ['check', '2705'],
    ['time_ticking', '23f3'],
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
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z0-9_+-]+$/.test(name))).toEqual([]);
    expect(
      [...UNICODE_EMOJI].filter(([code, own]) => !/^[0-9a-f]{4,5}(-[0-9a-f]{4,5})*$/.test(code) || !own[0]),
    ).toEqual([]);
    expect([...UNICODE_EMOJI.keys()].filter((code) => code.includes('fe0f'))).toEqual([]);
  });

  it('does not know what is not there', () => {
    for (const name of ['', 'constructor', 'nope', '1f44d', 'TADA', 'happy', 'flag', 'red heart'])
      expect(unicodeEmojiCode(name)).toBeUndefined();
  });
});
