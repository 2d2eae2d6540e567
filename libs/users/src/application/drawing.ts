import { Overloaded } from '@annals/kernel';
import { Rejected } from '@annals/kernel/domain';
import { pictureKind } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import type Sharp from 'sharp';
import { reject } from '../domain/rejections';
import { AVATAR_EDGES } from '../read/avatar';

/** A camera's picture has fewer; what claims more is made to fill the memory of a server. */
const MAX_PIXELS = 50_000_000;
const TIMEOUT_S = 10;
/** More that wait would hold hundreds of MiB. */
const MAX_WAITING = 32;
/** What may be decoded at all, whatever the bytes pretend to be. */
const DECODERS = ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadNsgif', 'VipsForeignLoadWebp'];

/** A picture in the sizes in which accounts show it, as PNG. */
export interface Drawn {
  readonly small: Uint8Array;
  readonly medium: Uint8Array;
}

/**
 * Draws what people send anew: a square in two sizes, turned upright, without anything that the camera wrote beside it,
 * one picture at a time.
 */
@Injectable()
export class Drawing {
  private sharp: Promise<typeof Sharp> | null = null;
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  /**
   * @throws Rejected BAD_IMAGE for what is no PNG, JPEG, GIF or WebP, cannot be decoded or has too many pixels
   * @throws Overloaded when many others wait for their turn
   */
  async avatar(bytes: Uint8Array): Promise<Drawn> {
    if (!pictureKind(bytes)) throw reject.noPicture();
    if (this.waiting >= MAX_WAITING) throw new Overloaded('too many pictures wait to be drawn');
    this.waiting++;
    const turn = this.last.then(() => this.drawn(bytes)).finally(() => this.waiting--);
    this.last = turn.catch(() => undefined);
    return turn;
  }

  private async drawn(bytes: Uint8Array): Promise<Drawn> {
    const sharp = await (this.sharp ??= decoder());
    try {
      const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
      if (width * height > MAX_PIXELS) throw reject.tooManyPixels();
      const medium = await square(sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' }), AVATAR_EDGES.medium);
      return { medium, small: await square(sharp(medium), AVATAR_EDGES.small) };
    } catch (error) {
      throw error instanceof Rejected ? error : reject.brokenPicture();
    }
  }
}

const square = (picture: Sharp.Sharp, edge: number): Promise<Uint8Array> =>
  picture.autoOrient().resize(edge, edge, { fit: 'cover' }).timeout({ seconds: TIMEOUT_S }).png().toBuffer();

/** Loaded when the first picture comes, for a start that does not wait for it. */
async function decoder(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: DECODERS });
  return sharp;
}
