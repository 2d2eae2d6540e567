import type { ThumbnailFormat } from '@annals/realm';
import { ANIMATED_THUMBNAIL, STILL_THUMBNAIL } from '@annals/realm';
import type { DecodedImage } from '../domain/image';
import { isShownByBrowsers } from '../domain/image';

/** A large picture for browsers that cannot show the original. */
const TRANSCODED: ThumbnailFormat = { name: '4032x3024.webp', maxWidth: 4_032, maxHeight: 3_024, animated: false };

/** The thumbnails to make of an image; the first one is shown unless a client chooses. */
export const formatsOf = ({ contentType, isAnimated }: Pick<DecodedImage, 'contentType' | 'isAnimated'>) => [
  ...(isAnimated ? [ANIMATED_THUMBNAIL] : []),
  STILL_THUMBNAIL,
  ...(isShownByBrowsers(contentType) ? [] : [TRANSCODED]),
];

/** The name of the large picture among the thumbnails of an image, if it has one. */
export const transcodedAmong = (formats: readonly string[]): string | undefined =>
  formats.find((name) => name === TRANSCODED.name);

const NAME = /^(\d{1,5})x\d{1,5}(-anim)?\.\w{1,5}$/;
/** A wider picture is asked for in place of the original. */
const WIDE = 2 * STILL_THUMBNAIL.maxWidth;

/** The thumbnail that is closest to what a client asks for; undefined if the name is not that of a format. */
export function closestFormat(asked: string, formats: readonly string[]): string | undefined {
  if (formats.includes(asked)) return asked;
  const [, width, animated] = NAME.exec(asked) ?? [];
  if (width === undefined) return undefined;
  const wanted = [
    ...(Number(width) > WIDE ? [TRANSCODED] : []),
    ...(animated === undefined ? [] : [ANIMATED_THUMBNAIL]),
    STILL_THUMBNAIL,
  ];
  return wanted.find(({ name }) => formats.includes(name))?.name;
}
