const UNKNOWN = 'application/octet-stream';
const TYPE = /^[a-z0-9][\w!#$&^.+-]{0,62}\/[a-z0-9][\w!#$&^.+-]{0,62}$/;

/** What a file is where the client did not say: the types that people look at, by the ending of the name. */
const BY_ENDING: Readonly<Record<string, string>> = {
  aac: 'audio/aac',
  apng: 'image/apng',
  avif: 'image/avif',
  csv: 'text/csv',
  flac: 'audio/flac',
  gif: 'image/gif',
  htm: 'text/html',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  m4a: 'audio/mp4',
  md: 'text/markdown',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  ogg: 'audio/ogg',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
  zip: 'application/zip',
};

/**
 * Types that a browser shows without running anything in them. Whatever else was uploaded (HTML, SVG, XML) is saved, not
 * opened.
 */
const INERT: ReadonlySet<string> = new Set([
  ...['application/pdf', 'text/plain'],
  ...['audio/aac', 'audio/flac', 'audio/mp4', 'audio/mpeg', 'audio/ogg', 'audio/wav', 'audio/webm'],
  ...['image/apng', 'image/avif', 'image/gif', 'image/jpeg', 'image/png', 'image/webp'],
  ...['video/mp4', 'video/ogg', 'video/webm'],
]);

/** The bare type of a file: what the client said if that is one, else what the name suggests. */
export function contentTypeOf(said: string, name: string): string {
  const bare = (said.split(';')[0] ?? '').trim().toLowerCase();
  if (TYPE.test(bare) && bare !== UNKNOWN) return bare;
  const ending = /\.(\w+)$/.exec(name.toLowerCase())?.[1] ?? '';
  return (Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : undefined) ?? UNKNOWN;
}

/** Whether a browser may show it where it stands. */
export const isInert = (contentType: string): boolean => INERT.has(contentType);
