import type { Run } from '../html';
import { DIALECTS } from './dialects';
import type { Dialect } from './dialects';
import { highlighted } from './highlight';
import { languageName } from './languages';
import { escapeCode, withPlainQuotes } from './highlighted-code';

/** Code units of highlighted code: of a line, of a block and of a text. What is longer has no colours. */
const MAX_LINE = 1_000;
const MAX_BLOCK = 6_000;
const MAX_OF_TEXT = 10_000;

/** `#!/usr/bin/env python` or `:::python` in the first line names the language where the fence does not. */
const SHEBANG = /^(?:::+|#!(?:(?:\/\w+)*[/ ])?)([\w#.+-]+)/;

/** A block of code: the HTML of its text, and the name of the language that the fence names. */
export function codeHtml(code: string, written: string, run: Run): { html: string; language?: string } {
  const language = written === '' ? undefined : languageName(written);
  const html = textHtml(code, DIALECTS.get(language ?? languageName(SHEBANG.exec(code)?.[1] ?? '')), run);
  return language === undefined ? { html } : { html: withPlainQuotes(html), language };
}

function textHtml(code: string, dialect: Dialect | undefined, run: Run): string {
  if (!dialect || code.length > MAX_BLOCK || run.code + code.length > MAX_OF_TEXT) return escapeCode(code);
  if (code.split('\n').some((line) => line.length > MAX_LINE)) return escapeCode(code);
  run.code += code.length;
  return highlighted(code, dialect);
}
