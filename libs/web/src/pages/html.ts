import { html as escaped, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

/** Markup of a page. Only `html` and `markup` make it, so a text that a user wrote is none. */
export type Html = HtmlEscapedString;

/** What a template may contain. Texts are escaped, markup is not, and `null`, `undefined` and `false` are nothing. */
export type HtmlValue = string | number | Html | readonly Html[] | null | undefined | false;

/** A template of markup, in which every text is escaped. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const made = escaped(strings, ...values);
  // The library also takes promises, which the type of the values excludes.
  if (made instanceof Promise) throw new Error('a page waits for nothing');
  return made;
}

/** Markup that another library made, such as an SVG. Never a text of a user. */
export const markup = (text: string): Html => raw(text);

export const NO_HTML = markup('');
