/** Longest accepted URL, in UTF-16 units. */
export const MAX_LINK_LENGTH = 2_000;

const SHAPE = /^https?:\/\/[^\s/?#\\]+(?:[/?#]\S*)?$/i;

/** Whether a text is a URL of the web with its scheme, at a public host name. */
export function isWebLink(text: string): boolean {
  if (text.length > MAX_LINK_LENGTH || !SHAPE.test(text) || !URL.canParse(text)) return false;
  const { hostname } = new URL(text);
  return hostname === 'localhost' || hostname.startsWith('[') || /[^.]\.[^.]/.test(hostname);
}
