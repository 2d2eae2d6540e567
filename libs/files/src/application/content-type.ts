import mime from 'mime';

const UNKNOWN = 'application/octet-stream';
/**
 * The type of a part of a form without a declared one (RFC 7578). Clients that send a picture without a type do not
 * know its type.
 */
const UNSAID = 'text/plain';
const TYPE = /^[a-z0-9][\w!#$&^.+-]{0,62}\/[a-z0-9][\w!#$&^.+-]{0,62}$/;

/** Types that a browser shows without running anything in them. All others (HTML, SVG, XML) are saved, not opened. */
const INERT: ReadonlySet<string> = new Set([
  ...['application/pdf', 'text/plain'],
  ...['audio/aac', 'audio/flac', 'audio/x-flac', 'audio/mp4', 'audio/mpeg', 'audio/ogg', 'audio/wav', 'audio/webm'],
  ...['image/apng', 'image/avif', 'image/gif', 'image/jpeg', 'image/png', 'image/webp'],
  ...['video/mp4', 'video/ogg', 'video/webm'],
]);

/** The bare type of a file: the declared one if it is a type, else the type that its name suggests. */
export function contentTypeOf(said: string, name: string): string {
  const bare = (said.split(';')[0] ?? '').trim().toLowerCase();
  const isType = TYPE.test(bare);
  if (isType && bare !== UNKNOWN && bare !== UNSAID) return bare;
  const ending = /\.\w+$/.exec(name)?.[0] ?? '';
  return mime.getType(ending) ?? (isType ? bare : UNKNOWN);
}

/** Whether a browser may show it on a page. */
export const isInert = (contentType: string): boolean => INERT.has(contentType);
