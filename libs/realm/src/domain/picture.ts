/** Kinds of pictures that every client shows, and that hold no scripts. */
export type PictureKind = 'png' | 'jpg' | 'gif' | 'webp';

const ascii = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to));

/** Of which kind these bytes are, whatever their sender calls them; null for none. */
export function pictureKind(bytes: Uint8Array): PictureKind | null {
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n' && ascii(bytes, 12, 16) === 'IHDR') return 'png';
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return 'gif';
  if (ascii(bytes, 0, 3) === '\xff\xd8\xff') return 'jpg';
  return ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP' ? 'webp' : null;
}

export const CONTENT_TYPES: Readonly<Record<PictureKind, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};
