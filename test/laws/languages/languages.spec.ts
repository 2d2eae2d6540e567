import { readFileSync } from 'node:fs';
import type { Language } from '@annals/kernel/domain';
import { LANGUAGE_CODES } from '@annals/kernel/domain';
import { strangeTexts, translator } from '@annals/languages';
import { UNTRANSLATED, untranslated } from '../../golden/untranslated';

describe('texts of pages and mails', () => {
  it('are in every language, or listed as shown in English (npm run golden writes the list)', () => {
    expect(untranslated()).toBe(readFileSync(UNTRANSLATED, 'utf8'));
  });

  it('have the keys and the values of the English text in every language', () => {
    expect(strangeTexts()).toEqual([]);
  });

  it('have the form that a number has in their language', () => {
    const counted = (language: Language) => (count: number) =>
      translator(language)('emailNotifications.digestMessages', { count });
    expect([1, 2, 5, 22].map(counted('pl'))).toEqual([
      '1 nowa wiadomość',
      '2 nowe wiadomości',
      '5 nowych wiadomości',
      '22 nowe wiadomości',
    ]);
    expect([1, 2, 3, 11].map(counted('ar'))).toEqual([
      'رسالة جديدة واحدة',
      'رسالتان جديدتان',
      '3 رسائل جديدة',
      '11 رسالة جديدة',
    ]);
    const others = (count: number) => translator('cy')('emailNotifications.namesAndOthers', { names: 'Ann', count });
    expect([1, 2, 3, 6, 7].map(others)).toEqual([
      'Ann ac 1 person arall',
      'Ann a 2 berson arall',
      'Ann a 3 pherson arall',
      'Ann a 6 pherson arall',
      'Ann a 7 person arall',
    ]);
    expect([1, 2].map(counted('my'))).toEqual(['မက်ဆေ့ချ်အသစ် 1 စောင်', 'မက်ဆေ့ချ်အသစ် 2 စောင်']);
  });

  it('exist in every language, at least in English', () => {
    for (const language of LANGUAGE_CODES) expect(translator(language)('pages.notFound')).toMatch(/\p{L}/u);
  });
});
