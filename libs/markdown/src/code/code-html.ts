import type { Run } from '../html';
import { DIALECTS } from './dialects';
import type { Dialect } from './dialects';
import { highlighted } from './highlight';
import { languageName } from './languages';
import { escapeCode, withPlainQuotes } from './spans';

/** Code units of highlighted code of a text. Further code has no colours. */
const MAX_HIGHLIGHTED = 10_000;

/** `#!/usr/bin/env python` or `:::python` in the first line names the language where the fence does not. */
const SHEBANG = /^(?:::+|#!(?:(?:\/\w+)*[/ ])?)([\w#.+-]+)/;

/** A block of code: the HTML of its text, and the name of the language that the fence names. */
export function codeHtml(code: string, written: string, run: Run): { html: string; language?: string } {
  const language = written === '' ? undefined : languageName(written);
  const html = textHtml(code, DIALECTS.get(language ?? languageName(SHEBANG.exec(code)?.[1] ?? '')), run);
  return language === undefined ? { html } : { html: withPlainQuotes(html), language };
}

function textHtml(code: string, dialect: Dialect | undefined, run: Run): string {
  if (!dialect || run.code + code.length > MAX_HIGHLIGHTED) return escapeCode(code);
  run.code += code.length;
  return highlighted(code, dialect);
}
