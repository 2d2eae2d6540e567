/** Languages for which PostgreSQL 15 finds stems, by the first part of the organization's language. */
const CONFIGURATIONS: Readonly<Record<string, string>> = {
  ar: 'arabic',
  ca: 'catalan',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hi: 'hindi',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  nb: 'norwegian',
  ne: 'nepali',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  yi: 'yiddish',
};

/** The language of organizations that did not choose one. */
const DEFAULT_LANGUAGE = 'en';

/**
 * The text search configuration of PostgreSQL for a language. `simple`, which finds no stems, for those that it does
 * not support.
 *
 * @param language such as `de` or `pt-br`. Left out for English
 */
export const configurationOf = (language = DEFAULT_LANGUAGE): string =>
  CONFIGURATIONS[language.toLowerCase().split(/[-_]/)[0] ?? ''] ?? 'simple';
