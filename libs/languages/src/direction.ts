import type { Language } from '@annals/kernel/domain';

/** In which direction a text is read. The values are those of HTML. */
export type Direction = 'ltr' | 'rtl';

const RIGHT_TO_LEFT: ReadonlySet<Language> = new Set<Language>(['ar', 'bqi', 'fa']);

export const directionOf = (language: Language): Direction => (RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr');
