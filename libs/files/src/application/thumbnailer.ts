import type { ThumbnailFormat } from '@annals/realm';
import { imageDecoder, isCut } from '@annals/realm';
import type Sharp from 'sharp';
import type { DecodedImage, ImageHeader } from '../domain/image';
import { formatsOf } from '../read/thumbnail-formats';

/** More than the photos of phones have. Decoded, it is 256 MB in the worst case. */
const MAX_PIXELS = 64_000_000;
/** Frames of an animation that its thumbnail has. */
const MAX_FRAMES = 500;
const TIMEOUT_S = 20;

/** Formats of the decoder, by what they are called on the web. */
const TYPES: Readonly<Record<string, string>> = {
  ...{ gif: 'image/gif', heif: 'image/avif', jpeg: 'image/jpeg', png: 'image/png', tiff: 'image/tiff' },
  webp: 'image/webp',
};
/** Formats whose pages are frames. The pages of others are pictures of their own. */
const MOVING: ReadonlySet<string> = new Set(['gif', 'webp']);

/** An image that cannot be decoded, or is too large for that. */
export class UnfitImage extends Error {
  constructor(readonly fault: 'unreadable' | 'too-large') {
    super(`the image is ${fault}`);
  }
}

/** An image and its thumbnails. */
export interface DecodedThumbnails extends DecodedImage {
  /** Bytes by the names of formats. */
  readonly thumbnails: ReadonlyMap<string, Uint8Array>;
}

/** What the first bytes of an image say; null if they say nothing. */
export async function imageHeader(bytes: Uint8Array): Promise<ImageHeader | null> {
  const sharp = await imageDecoder();
  try {
    return headerOf(await sharp(bytes, { limitInputPixels: false, failOn: 'none' }).metadata());
  } catch {
    return null;
  }
}

/**
 * Decodes an image, whatever it is called, and makes its thumbnails. They have none of its metadata.
 *
 * @throws UnfitImage
 */
export async function thumbnailsOf(bytes: Uint8Array): Promise<DecodedThumbnails> {
  if (isCut(bytes)) throw new UnfitImage('unreadable');
  const sharp = await imageDecoder();
  try {
    const metadata = await sharp(bytes, { limitInputPixels: false }).metadata();
    const header = headerOf(metadata);
    if (!header) throw new UnfitImage('unreadable');
    const pixels = header.width * header.height;
    if (pixels > MAX_PIXELS) throw new UnfitImage('too-large');
    const frames = MOVING.has(metadata.format) ? framesOf(metadata, pixels) : 1;
    const image = { ...header, isAnimated: frames > 1 };
    const thumbnails = new Map<string, Uint8Array>();
    const limits = { limitInputPixels: MAX_PIXELS, failOn: 'error' } as const;
    for (const format of formatsOf(image)) {
      const pages = format.animated ? frames : 1;
      thumbnails.set(format.name, await shrunk(sharp(bytes, { ...limits, pages }), format));
    }
    return { ...image, thumbnails };
  } catch (error) {
    throw error instanceof UnfitImage ? error : new UnfitImage('unreadable');
  }
}

function headerOf({ format, autoOrient }: Sharp.Metadata): ImageHeader | null {
  const contentType = TYPES[format];
  const { width, height } = autoOrient;
  return contentType && width > 0 && height > 0 ? { contentType, width, height } : null;
}

/** As many frames as may be decoded. */
const framesOf = ({ pages = 1 }: Sharp.Metadata, pixels: number): number =>
  Math.min(pages, MAX_FRAMES, Math.floor(MAX_PIXELS / pixels));

function shrunk(image: Sharp.Sharp, { maxWidth, maxHeight, animated }: ThumbnailFormat): Promise<Uint8Array> {
  const upright = animated ? image : image.autoOrient();
  const fitting = upright.resize(maxWidth, maxHeight, { fit: 'inside', withoutEnlargement: true });
  return fitting.webp().timeout({ seconds: TIMEOUT_S }).toBuffer();
}
