import type { Translate } from './translator';
import { refusals } from './texts/en/refusals';

const KEYS: ReadonlyMap<string, keyof typeof refusals> = new Map(
  Object.entries(refusals).map(([key, text]) => [text, key as keyof typeof refusals]),
);

/** A refusal of the API in the language of a page. @param text as the API answers with it, in English */
export function refusalText(t: Translate, text: string): string {
  const key = KEYS.get(text);
  return key === undefined ? text : t(`refusals.${key}`);
}
