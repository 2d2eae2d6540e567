import { readFileSync } from 'node:fs';
import { LANGUAGE_CODES } from '@annals/kernel/domain';
import { strangeTexts, translator } from '@annals/languages';
import { UNTRANSLATED, untranslated } from '../golden/untranslated';

describe('texts of pages and mails', () => {
  it('are in every language, or listed as shown in English (npm run golden writes the list)', () => {
    expect(untranslated()).toBe(readFileSync(UNTRANSLATED, 'utf8'));
  });

  it('have the keys and the values of the English text in every language', () => {
    expect(strangeTexts()).toEqual([]);
  });

  it('exist in every language, at least in English', () => {
    for (const language of LANGUAGE_CODES) expect(translator(language)('pages.notFound')).toMatch(/\p{L}/u);
  });
});
