/** The language that events with texts leave out. */
const ENGLISH = 'en';

/** The field of an event with texts for the organization's language. */
export const inLanguage = (language: string): { readonly language?: string } =>
  language === ENGLISH ? {} : { language };
