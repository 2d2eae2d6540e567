import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { Instant, Position, RealmId, UserId } from '../../domain/index';
import { canonicalText, commitmentOf, leafHash, leafText, newSalt } from './canonical';

describe('canonical text', () => {
  it('does not depend on the order of keys', () => {
    expect(canonicalText({ b: 1, a: { d: [1, 2], c: null } })).toBe('{"a":{"c":null,"d":[1,2]},"b":1}');
  });

  it.each([
    ['a NUL', 'a\0b'],
    ['a lone high surrogate', 'a\ud800'],
    ['a lone low surrogate', '\udfffz'],
    ['a NUL after a backslash', '\\\0'],
  ])('refuses %s', (_, text) => {
    expect(() => canonicalText({ text })).toThrow('NUL character or a lone surrogate');
  });

  it.each([[NaN], [Infinity]])('refuses %s', (number) => {
    expect(() => canonicalText({ number })).toThrow();
  });

  it('accepts every well-formed text without NUL', () => {
    const texts = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0') && text.isWellFormed());
    fc.assert(
      fc.property(fc.oneof(texts, fc.constant('\\u0000'), fc.constant('\\\\ud800')), (text) => {
        expect(JSON.parse(canonicalText({ text }))).toEqual({ text });
      }),
    );
  });
});

describe('a leaf', () => {
  const leaf = {
    realmId: 1 as RealmId,
    position: 7 as Position,
    stream: 'note-7',
    version: 1,
    type: 'toy.Noted',
    v: 1,
    at: 1_767_225_600_000 as Instant,
    actorId: 9 as UserId,
    commandId: '00000000-0000-4000-8000-00000000000a',
    correlation: '00000000-0000-4000-8000-00000000000b',
    causation: '1:6',
    client: 'say "hi"',
    dataText: '{"length":2}',
    commitment: Buffer.from('aa55', 'hex'),
  };

  it('is composed of finished parts, and is the canonical text of the whole', () => {
    const { dataText, commitment, ...rest } = leaf;
    const whole = { ...rest, data: JSON.parse(dataText) as unknown, commitment: commitment.toString('hex') };
    expect(leafText(leaf, leaf)).toBe(canonicalText(whole));
    const bare = { ...leaf, actorId: null, causation: null, commitment: null };
    expect(leafText(bare, bare)).toBe(canonicalText({ ...whole, actorId: null, causation: null, commitment: null }));
  });

  it('is hashed as in RFC 6962: SHA-256 of a zero byte and the leaf', () => {
    const expected = createHash('sha256')
      .update(Buffer.from([0]))
      .update(leafText(leaf, leaf))
      .digest();
    expect(leafHash(leaf, leaf)).toEqual(expected);
  });
});

describe('a commitment', () => {
  it('is SHA-256 of salt and text, and differs for equal texts', () => {
    const [one, other] = [newSalt(), newSalt()];
    expect(commitmentOf(one, '"hi"')).toEqual(createHash('sha256').update(one).update('"hi"').digest());
    expect(commitmentOf(one, '"hi"')).not.toEqual(commitmentOf(other, '"hi"'));
    expect(one).toHaveLength(16);
  });
});
