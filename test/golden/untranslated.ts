import { join } from 'node:path';
import { missingTexts } from '@annals/languages';

/** The file that lists every text that a language does not have yet, and that is shown in English. */
export const UNTRANSLATED = join(__dirname, 'untranslated.txt');

export const untranslated = (): string =>
  missingTexts()
    .map((line) => `${line}\n`)
    .join('');
