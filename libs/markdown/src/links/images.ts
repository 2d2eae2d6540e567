import { openTag } from '../html';
import type { ShownImage, TextOptions } from '../names';

/** Shown while thumbnails are being made. At the root of the server, outside the API. */
export const PLACEHOLDER_PATH = '/static/images/loading/image.svg';

const UPLOADS = '/user_uploads/';

/**
 * The `img` element of an uploaded image (feature levels 336 and 467): its thumbnail, or a placeholder while there is none.
 *
 * @param src without a host
 * @param path the path id in it
 * @param attributes further attributes
 * @returns undefined for a file that is not shown
 */
export function uploadedImage(
  src: string,
  path: string,
  { image }: TextOptions,
  attributes: Readonly<Record<'alt' | 'class' | 'data-original-src', string>> | null,
): string | undefined {
  if (!image) return openTag('img', { ...attributes, src });
  const shown = image(path);
  if (!shown) return undefined;
  const { thumbnail, contentType, isAnimated, transcoded } = shown;
  const address = src.replace(/[?#].*$/s, '');
  const classes = [attributes?.class, thumbnail === null ? 'image-loading-placeholder' : undefined];
  return openTag('img', {
    alt: attributes?.alt,
    class: classes.filter((one) => one !== undefined).join(' ') || undefined,
    'data-animated': isAnimated ? 'true' : undefined,
    'data-original-content-type': contentType ?? undefined,
    'data-original-dimensions': dimensionsOf(shown),
    'data-original-src': attributes?.['data-original-src'],
    'data-transcoded-image': transcoded,
    src: thumbnail === null ? PLACEHOLDER_PATH : `${UPLOADS}thumbnail/${address.slice(UPLOADS.length)}/${thumbnail}`,
  });
}

const dimensionsOf = ({ width, height }: ShownImage): string | undefined =>
  width === null || height === null ? undefined : `${width}x${height}`;
