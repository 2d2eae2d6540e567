import fc from 'fast-check';
import { fileName } from './file-name';

describe('the name of a file', () => {
  it('is the name that the client sent, if it is safe', () => {
    expect(fileName('Hello, World (2).txt')).toEqual({ shown: 'Hello, World (2).txt', inAddress: 'Hello-World-2.txt' });
    expect(fileName('résumé.pdf')).toEqual({ shown: 'résumé.pdf', inAddress: 'résumé.pdf' });
    expect(fileName('नमस्ते.png').inAddress).toBe('नमस्ते.png');
  });

  it.each([
    ['a/b/c.txt', 'c.txt'],
    ['a\\b\\c.txt', 'c.txt'],
    ['/', 'uploaded-file'],
    ['..', 'uploaded-file'],
    ['a/..', 'uploaded-file'],
    ['%2e%2e%2fx', 'x'],
    ['  x  ', 'x'],
    ['a\u0000\n\u2028b', 'ab'],
    ['%', '%'],
  ])('of %j is shown as %j', (given, shown) => expect(fileName(given).shown).toBe(shown));

  it('keeps its extension when it is shortened, unless that is most of it', () => {
    expect(fileName(`${'é'.repeat(200)}.png`).shown).toBe(`${'é'.repeat(125)}.png`);
    expect(fileName(`a.${'x'.repeat(300)}`).shown).toBe(`a.${'x'.repeat(253)}`);
    expect(fileName(`${'ﷺ'.repeat(80)}.png`).inAddress).toMatch(/^[^/]+\.png$/);
  });

  it('is always one path segment that fits on a disk, without control characters', () => {
    const anything = fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.string({ unit: 'grapheme-composite' }));
    fc.assert(
      fc.property(anything, (given) => {
        const { shown, inAddress } = fileName(given);
        expect(shown).toMatch(/^[^\p{C}/\\]+$/u);
        expect(inAddress).toMatch(/^[\p{L}\p{M}\p{N}_.-]+$/u);
        for (const name of [shown, inAddress]) {
          expect(['.', '..']).not.toContain(name);
          expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        }
        expect(encodeURIComponent(shown)).not.toBe('');
      }),
      { numRuns: 2_000 },
    );
  });
});
