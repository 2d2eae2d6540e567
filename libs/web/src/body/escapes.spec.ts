import fc from 'fast-check';
import { decodeEscapes } from './escapes';

/** The meaning in short. This form throws and catches for each row of escapes. */
function simply(text: string): string {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (row) => {
    try {
      return utf8.decode(Buffer.from(row.replaceAll('%', ''), 'hex'));
    } catch {
      return '\udfff';
    }
  });
}

const byte = fc.oneof(fc.nat(255), fc.constantFrom(0x7f, 0x80, 0xbf, 0xc1, 0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5));
const escape = byte.map((value) => `%${value.toString(16).padStart(2, '0')}`);
const character = fc.string({ unit: 'binary', minLength: 1, maxLength: 2 });
const piece = fc.oneof(
  escape,
  character.map(encodeURIComponent),
  character,
  fc.constantFrom('%', '%e', '%zz', 'a', '%EF%BB%BF', '%ED%A0%80', '%F4%90%80%80', '%c3%', '\udc00'),
);

describe('decoding escapes that need not be well-formed', () => {
  it('gives the same text as the short definition', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        expect(decodeEscapes(pieces.join(''))).toBe(simply(pieces.join('')));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(['%FF', '%FFa', '%', '%%', '%F', '%E2%82', '%F0%9F%98', '%F0%9F%98%80', '%C3%A9%C3', 'a'])(
    'reads each character of a text of %s a few times at most',
    (text) => {
      const whole = text.repeat(10_000 / text.length);
      let looks = 0;
      decodeEscapes({
        length: whole.length,
        charCodeAt: (at) => {
          looks++;
          return whole.charCodeAt(at);
        },
      });
      expect(looks).toBeGreaterThanOrEqual(whole.length);
      expect(looks).toBeLessThanOrEqual(6 * whole.length);
    },
  );
});
