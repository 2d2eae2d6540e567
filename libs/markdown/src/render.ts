import { NO_NAMES } from './names';
import type { NameLookup, TextOptions } from './names';
import { parse } from './parser';
import { sanitize } from './sanitize';

/** Raised whenever `render` may give other HTML for the same text; caches of HTML are kept by it. */
export const RENDERER_VERSION = 3;

/**
 * The HTML of a message's Markdown in the shape that Zulip clients parse (feature level 500), safe to show as it is.
 * Pure: the same text and the same answers of `names` give the same HTML. No text has a cost out of proportion.
 */
export function render(content: string, names: NameLookup, options: TextOptions = {}): string {
  const { md, tokens } = parse(content, { names, options });
  return sanitize(md.renderer.render(tokens, md.options, {})).trimEnd();
}

/** The HTML of a channel's or channel folder's description, `''` for an empty one (contract channels section 1). */
export function renderDescription(description: string, names: NameLookup = NO_NAMES): string {
  return render(description.replace(/\s*[\r\n]\s*/g, ' ').trim(), names, { imagePreviews: false });
}
