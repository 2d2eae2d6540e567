import fc from 'fast-check';
import { NO_NAMES } from './names';
import { render, renderWithoutPreviews } from './render';

test('plain words are rendered like by the parser', () => {
  const plain = fc.array(fc.constantFrom(...'aZé中ſªℹ', ...'019', ...' ,()+-.', '. ', '1. ', '- ', '--', '+49 '), {
    minLength: 1,
    maxLength: 14,
  });
  fc.assert(
    fc.property(plain, (pieces) => {
      const text = pieces.join('');
      const parsed = render(text, NO_NAMES, { imagePreviews: false });
      expect(renderWithoutPreviews(text)).toBe(parsed);
    }),
    { numRuns: 5_000 },
  );
});
