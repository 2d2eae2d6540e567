import type { Language } from '@annals/kernel/domain';
import { LANGUAGE_CODES } from '@annals/kernel/domain';
import Negotiator from 'negotiator';

const CODES: ReadonlySet<string> = new Set(LANGUAGE_CODES);

/** Codes of browsers for languages that are named otherwise here. */
const OTHER_NAMES: Readonly<Record<string, Language>> = { nb: 'no', nn: 'no', fil: 'tl' };

/**
 * The language that an `Accept-Language` header prefers among those that there are texts in or could be.
 *
 * @param fallback the answer to a header that names none of them
 */
export function chosenLanguage(accept: string | undefined, fallback: Language): Language {
  if (accept === undefined) return fallback;
  const preferred = new Negotiator({ headers: { 'accept-language': accept } }).languages();
  for (const tag of preferred) {
    const language = languageOf(tag);
    if (language !== undefined) return language;
  }
  return fallback;
}

/** `pt-BR` → `pt-br`, `zh-CN` → `zh-hans`, `de-AT` → `de`. */
function languageOf(tag: string): Language | undefined {
  const exact = known(tag.toLowerCase());
  if (exact !== undefined) return exact;
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return known(`${language}-${script?.toLowerCase() ?? ''}`) ?? known(language) ?? OTHER_NAMES[language];
  } catch {
    return undefined; // `*`, or no tag of a language at all
  }
}

const known = (code: string): Language | undefined => (CODES.has(code) ? (code as Language) : undefined);
