import type { Language } from '@annals/kernel/domain';
import type { LanguageTexts } from './english';
import { english } from './english';

/** The texts of every language that has any. */
export const TRANSLATIONS: Readonly<Partial<Record<Language, LanguageTexts>>> = { en: english };
