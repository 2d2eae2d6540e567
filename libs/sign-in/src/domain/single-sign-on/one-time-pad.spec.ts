import fc from 'fast-check';
import { isOneTimePad, padded } from './one-time-pad';

describe('the one-time pad of an app', () => {
  it('hides a key as other servers do', () => {
    const key = 'abcdefghABCDEFGH0123456789012345';
    expect(padded(key, '0'.repeat(64))).toBe(Buffer.from(key).toString('hex'));
    expect(padded(key, 'f'.repeat(64)).slice(0, 8)).toBe('9e9d9c9b');
  });

  it('gives the key back to whoever has the pad', () => {
    const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: 64, maxLength: 64 });
    const keys = fc.string({ unit: fc.constantFrom(...'azAZ09'), minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(keys, hex, (key, pad) => {
        const hidden = padded(key, pad);
        expect(hidden).toMatch(/^[0-9a-f]{64}$/);
        const bytes = Buffer.from(hidden, 'hex').map((byte, at) => byte ^ (Buffer.from(pad, 'hex')[at] ?? 0));
        expect(Buffer.from(bytes).toString()).toBe(key);
      }),
      { numRuns: 20 },
    );
  });

  it.each(['', 'a'.repeat(63), 'a'.repeat(65), 'g'.repeat(64), `${'a'.repeat(63)}\n`, '٣'.repeat(64)])(
    'is not %j',
    (text) => expect(isOneTimePad(text)).toBe(false),
  );
});
