import type MarkdownIt from 'markdown-it';
import { OURS } from './html';
import { NO_NAMES } from './names';
import type { NameLookup, TextOptions } from './names';
import { parse } from './parser';
import { sanitize } from './safety/sanitize';

/** Raised whenever `render` may return other HTML for the same text. Caches of HTML depend on it. */
export const RENDERER_VERSION = 7;

/**
 * The HTML of a message's Markdown in the shape that Zulip clients parse (feature level 500), safe to show without
 * changes. Pure: the same text and the same answers of `names` give the same HTML. The cost is proportional: twice the
 * text is at most twice the work, and 10,000 characters are at most 800,000 of HTML as long as names are short.
 */
export function render(content: string, names: NameLookup, options: TextOptions = {}): string {
  const { md, tokens, run } = parse(content, { names, options });
  const html = sanitize(md.renderer.render(tokens, md.options, run as unknown as MarkdownIt.Env)).trimEnd();
  let next = 0;
  return run.ours.length === 0 ? html : html.replaceAll(OURS, () => run.ours[next++] ?? '');
}

/** Words and phone numbers on one line, to which no rule applies. Dots inside may be links. */
const PLAIN = /^(?:\p{L}(?:[\p{L}\d ,()+-]|\.(?= |$))*|\+?\d[\d ]*)$/u;

/**
 * The HTML of users' texts outside of messages, without previews. Directories have thousands of such texts, so plain
 * words are not parsed.
 */
export function renderWithoutPreviews(text: string, names: NameLookup = NO_NAMES): string {
  const isPlain = PLAIN.test(text) && !text.endsWith(' ');
  return isPlain ? `<p>${text}</p>` : render(text, names, { imagePreviews: false });
}

/** The HTML of a channel's or channel folder's description, `''` for an empty one (contract channels section 1). */
export const renderDescription = (description: string, names: NameLookup = NO_NAMES): string =>
  renderWithoutPreviews(description.replace(/\s*[\r\n]\s*/g, ' ').trim(), names);
