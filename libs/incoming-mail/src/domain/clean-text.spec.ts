import { cleanText } from './clean-text';

it.each([
  ['a\0b\x1b[31mc\x85', 'ab[31mc'],
  ['a\r\nb\rc\td', 'a\nb\nc\td'],
  ['half \ud83d of a character', 'half \ufffd of a character'],
  ['a whole one 😀', 'a whole one 😀'],
])('%j is stored as %j', (written, stored) => expect(cleanText(written)).toBe(stored));
