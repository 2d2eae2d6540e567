import { Rejected } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type Sharp from 'sharp';
import { isCut, pictureKind } from '../domain/picture';
import { reject } from '../domain/rejections';
import { imageDecoder } from './image-decoder';
import type { PictureOwner } from './picture-turns';
import { PictureTurns } from './picture-turns';

/** More than a photo or all frames of an animation have. A larger one is an attack on memory. */
const MAX_PIXELS = 50_000_000;
/** Half a minute of animation. Many tiny frames become large when they are resized. */
const MAX_FRAMES = 500;
const TIMEOUT_S = 10;
/** Edge of an emoji, in pixels. */
const EMOJI_EDGE = 64;

/** An avatar in both sizes, as PNG. */
export interface ProcessedAvatar {
  readonly small: Uint8Array;
  readonly medium: Uint8Array;
}

/** An emoji of 64 by 64 pixels. */
export interface ProcessedEmoji {
  /** PNG: the image, or its first frame. */
  readonly still: Uint8Array;
  /** Null for an image without animation. */
  readonly animation: { readonly kind: 'gif' | 'webp'; readonly bytes: Uint8Array } | null;
}

interface Source {
  /** Opens the bytes of an image, by default its first frame. */
  readonly open: (how?: { readonly animated: boolean }) => Sharp.Sharp;
  readonly sharp: typeof Sharp;
  /** Of one frame. */
  readonly pixels: number;
  readonly frames: number;
}

/** Decodes and resizes uploaded images, without camera metadata, one at a time. Organizations take turns. */
@Injectable()
export class ImageProcessor {
  private readonly turns = new PictureTurns();

  /**
   * Crops to a square and rotates upright.
   *
   * @param edges in pixels
   * @throws Rejected BAD_IMAGE for an image that is no PNG, JPEG, GIF or WebP, cannot be decoded or has too many pixels
   * @throws Rejected RATE_LIMIT_HIT while another one of the account, or many of the organization, are not done yet
   * @throws Overloaded when many others wait
   */
  async avatar(
    by: PictureOwner,
    bytes: Uint8Array,
    edges: Readonly<Record<keyof ProcessedAvatar, number>>,
  ): Promise<ProcessedAvatar> {
    return this.inTurn(by, bytes, async ({ open, sharp }) => {
      const square = (picture: Sharp.Sharp, edge: number) => toPng(picture.autoOrient().resize(edge, edge));
      const medium = await square(open(), edges.medium);
      return { medium, small: await square(sharp(medium), edges.small) };
    });
  }

  /**
   * Crops to a square and rotates upright.
   *
   * @returns PNG
   * @throws Rejected and Overloaded as above
   */
  square(by: PictureOwner, bytes: Uint8Array, edge: number): Promise<Uint8Array> {
    return this.inTurn(by, bytes, ({ open }) => toPng(open().autoOrient().resize(edge, edge)));
  }

  /**
   * The whole image, as large as fits into a size and no larger than it is.
   *
   * @returns PNG
   * @throws Rejected and Overloaded as above
   */
  fitting(
    by: PictureOwner,
    bytes: Uint8Array,
    { width, height }: { readonly width: number; readonly height: number },
  ): Promise<Uint8Array> {
    const shape = { fit: 'inside', withoutEnlargement: true } as const;
    return this.inTurn(by, bytes, ({ open }) => toPng(open().autoOrient().resize(width, height, shape)));
  }

  /**
   * A square that contains the whole image on a transparent background. An animation remains animated.
   *
   * @throws Rejected BAD_IMAGE as above, and for too many frames
   * @throws Rejected RATE_LIMIT_HIT and Overloaded as above
   */
  async emoji(by: PictureOwner, bytes: Uint8Array): Promise<ProcessedEmoji> {
    return this.inTurn(by, bytes, async ({ open, pixels, frames }) => {
      if (frames > MAX_FRAMES || frames * pixels > MAX_PIXELS) throw reject.tooManyPixels();
      const kind = pictureKind(bytes);
      const still = await toPng(contained(open().autoOrient()));
      if (frames === 1 || (kind !== 'gif' && kind !== 'webp')) return { still, animation: null };
      return { still, animation: { kind, bytes: await rendered(contained(open({ animated: true }))[kind]()) } };
    });
  }

  private async inTurn<T>(by: PictureOwner, bytes: Uint8Array, render: (source: Source) => Promise<T>): Promise<T> {
    if (!pictureKind(bytes)) throw reject.noPicture();
    if (isCut(bytes)) throw reject.brokenPicture();
    return this.turns.run(by, () => this.decoded(bytes, render));
  }

  private async decoded<T>(bytes: Uint8Array, render: (source: Source) => Promise<T>): Promise<T> {
    const sharp = await imageDecoder();
    try {
      const { width, height, pages: frames = 1 } = await sharp(bytes, { limitInputPixels: false }).metadata();
      const pixels = width * height;
      if (pixels > MAX_PIXELS) throw reject.tooManyPixels();
      const how = { limitInputPixels: MAX_PIXELS, failOn: 'error' } as const;
      return await render({ open: (more) => sharp(bytes, { ...how, ...more }), sharp, pixels, frames });
    } catch (error) {
      throw error instanceof Rejected ? error : reject.brokenPicture();
    }
  }
}

const contained = (picture: Sharp.Sharp): Sharp.Sharp =>
  picture.resize(EMOJI_EDGE, EMOJI_EDGE, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } });

const rendered = (picture: Sharp.Sharp): Promise<Uint8Array> => picture.timeout({ seconds: TIMEOUT_S }).toBuffer();

const toPng = (picture: Sharp.Sharp): Promise<Uint8Array> => rendered(picture.png());
