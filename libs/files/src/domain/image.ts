/** Types of images that get thumbnails, by whether browsers show the original. */
const IMAGE_TYPES: ReadonlyMap<string, boolean> = new Map([
  ['image/avif', true],
  ['image/gif', true],
  ['image/jpeg', true],
  ['image/png', true],
  ['image/tiff', false],
  ['image/webp', true],
]);

/** Whether files of a type get thumbnails. */
export const isImageType = (contentType: string): boolean => IMAGE_TYPES.has(contentType);

/** Whether browsers show images of a type. */
export const isShownByBrowsers = (contentType: string): boolean => IMAGE_TYPES.get(contentType) ?? false;

/** What the first bytes of an image say about it. */
export interface ImageHeader {
  readonly contentType: string;
  /** In pixels, upright. */
  readonly width: number;
  readonly height: number;
}

/** An image that was decoded. */
export interface DecodedImage extends ImageHeader {
  readonly isAnimated: boolean;
}

/** Why an image has no thumbnails. */
export const IMAGE_FAULTS = ['unreadable', 'too-large', 'missing'] as const;
export type ImageFault = (typeof IMAGE_FAULTS)[number];
