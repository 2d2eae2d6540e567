/** A form in which clients may ask for the thumbnail of an uploaded image (`server_thumbnail_formats`). */
export interface ThumbnailFormat {
  /** The last part of the URL of a thumbnail. */
  readonly name: string;
  /** In pixels, as the height. */
  readonly maxWidth: number;
  readonly maxHeight: number;
  readonly animated: boolean;
}

const [maxWidth, maxHeight] = [840, 560];

export const STILL_THUMBNAIL: ThumbnailFormat = { name: '840x560.webp', maxWidth, maxHeight, animated: false };
export const ANIMATED_THUMBNAIL: ThumbnailFormat = { name: '840x560-anim.webp', maxWidth, maxHeight, animated: true };
