import { Parser } from 'htmlparser2';

/** What a page says about itself. */
export interface PageFacts {
  readonly title: string;
  /** Empty if it says nothing more. */
  readonly description: string;
}

const MAX_TITLE = 200;
const MAX_DESCRIPTION = 400;

/**
 * The title and description of an HTML page, by Open Graph or by older means. Only its head is read, and nothing in it
 * runs.
 *
 * @returns null for a page without a title
 */
export function pageFacts(html: string): PageFacts | null {
  const found = new Map<string, string>();
  let title: string | null = null;
  let isOver = false;
  const parser = new Parser({
    onopentag(name, { property, name: called, content }) {
      if (name === 'body') isOver = true;
      if (isOver) return;
      const key = (property ?? called ?? '').toLowerCase();
      if (name === 'meta' && content !== undefined && !found.has(key)) found.set(key, content);
      if (name === 'title') title ??= '';
    },
    ontext(text) {
      if (!isOver && title !== null && !found.has(TITLE)) title += text;
    },
    onclosetag(name) {
      if (name === 'head') isOver = true;
      if (name === 'title' && title !== null && !found.has(TITLE)) found.set(TITLE, title);
    },
  });
  parser.end(html);
  const shown = oneLine(found.get('og:title') ?? found.get('twitter:title') ?? found.get(TITLE) ?? '', MAX_TITLE);
  const description = found.get('og:description') ?? found.get('twitter:description') ?? found.get('description') ?? '';
  return shown === '' ? null : { title: shown, description: oneLine(description, MAX_DESCRIPTION) };
}

/** Key of the text of the element, which no attribute can have. */
const TITLE = '<title>';

/** Text without control characters and marks that reverse the direction of reading. */
function oneLine(text: string, max: number): string {
  const plain = text
    .replace(/\s+/gu, ' ')
    .replace(/[\p{C}]/gu, '')
    .trim();
  const characters = [...plain];
  return characters.length <= max
    ? plain
    : `${characters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`;
}
