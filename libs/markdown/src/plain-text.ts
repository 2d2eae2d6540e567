import sanitizeHtml from 'sanitize-html';

/** Pictures of emoji stand for their names. */
const PICTURE = /<img\b[^>]*\bclass="emoji"[^>]*>/g;
const NAME = /\balt="([^"]*)"/;
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** What somebody has to ask for before it is shown. */
const isHidden = ({ attribs }: sanitizeHtml.IFrame): boolean => attribs['class'] === 'spoiler-content';

/** What is left of rendered Markdown where nothing but letters can be shown: on the screen of a phone, for example. */
export function plainText(html: string): string {
  const named = html.replace(PICTURE, (tag) => NAME.exec(tag)?.[1] ?? '').replace(/<br\s*\/?>\n?/g, '\n');
  const open = sanitizeHtml(named, {
    allowedTags: ['div'],
    allowedAttributes: { div: ['class'] },
    exclusiveFilter: isHidden,
  });
  const bare = sanitizeHtml(open, { allowedTags: [], allowedAttributes: {} });
  return bare
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
