import type { Language } from '@annals/kernel/domain';
import { createInstance } from 'i18next';
import type { TextKey } from './texts/english';
import { TRANSLATIONS } from './texts/translations';

/** A text in one language. @param values for the parts in braces; `count` chooses the plural form */
export type Translate = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string;

const texts = createInstance();
void texts.init({
  initAsync: false,
  resources: Object.fromEntries(
    Object.entries(TRANSLATIONS).map(([language, translation]) => [language, { translation }]),
  ),
  fallbackLng: 'en',
  lowerCaseLng: true,
  load: 'currentOnly',
  // A value may be called like a variable of the library. Pages and mails escape what they show.
  interpolation: { escapeValue: false, skipOnVariables: true },
  returnNull: false,
});

/** The texts of a language. Those that it does not have are English. */
export function translator(language: Language): Translate {
  const translate = texts.getFixedT(language) as (key: string, values?: object) => string;
  return (key, values) => translate(key, { ...values });
}
