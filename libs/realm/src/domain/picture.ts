/** Kinds of images that every client shows, and that contain no scripts. */
export type PictureKind = 'png' | 'jpg' | 'gif' | 'webp';

const ascii = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to));

/** The image format of these bytes, independent of the declared type; null for none. */
export function pictureKind(bytes: Uint8Array): PictureKind | null {
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n' && ascii(bytes, 12, 16) === 'IHDR') return 'png';
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return 'gif';
  if (ascii(bytes, 0, 3) === '\xff\xd8\xff') return 'jpg';
  return ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP' ? 'webp' : null;
}

/** Bytes of a color table in a GIF, by the flags before it. */
const colorsIn = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/**
 * Whether these bytes are a GIF that ends within a frame. Decoders draw the existing part of such a file without an
 * error. They detect truncated files of other kinds by themselves.
 */
export function isCut(bytes: Uint8Array): boolean {
  if (pictureKind(bytes) !== 'gif') return false;
  const at = (place: number): number => bytes[place] ?? 0;
  let next = 13 + colorsIn(at(10));
  for (;;) {
    if (next >= bytes.length) return next > bytes.length;
    const block = at(next);
    if (block === 0x21) next += 2;
    else if (block === 0x2c) next += 11 + colorsIn(at(next + 9));
    else return false;
    while (at(next) > 0) next += 1 + at(next);
    next += 1;
  }
}

export const CONTENT_TYPES: Readonly<Record<PictureKind, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};
