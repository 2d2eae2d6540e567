import sharp from 'sharp';
import { PIXEL, animation, picture } from '../../../../test/support/requests/pictures';
import { ImageProcessor } from './image-processing';

const EDGES = { small: 10, medium: 50 };
const BROKEN = 'Could not decode image; did you upload an image file?';
const settled = async (drawings: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(drawings)).map((one) =>
    one.status === 'fulfilled' ? 'rendered' : (one.reason as Error).message,
  );

describe('image processing', () => {
  it('is deterministic, and enlarges small images', async () => {
    const images = new ImageProcessor();
    const [one, other] = [await images.avatar(PIXEL, EDGES), await images.avatar(PIXEL, EDGES)];
    expect(Buffer.compare(one.medium, other.medium)).toBe(0);
    expect(one.medium.length).toBeGreaterThan(one.small.length);
  });

  it('continues after an invalid image', async () => {
    const images = new ImageProcessor();
    const cut = (await picture('jpeg')).slice(0, 200);
    const none = new Uint8Array([1, 2, 3]);
    const all = [PIXEL, cut, none, PIXEL].map((bytes) => images.avatar(bytes, EDGES));
    expect(await settled(all)).toEqual(['rendered', BROKEN, 'Invalid image format', 'rendered']);
  });

  it('limits the number of waiting images, for avatars and emoji together', async () => {
    const images = new ImageProcessor();
    const render = (n: number) => (n % 2 === 0 ? images.avatar(PIXEL, EDGES) : images.emoji(PIXEL));
    const all = await settled(Array.from({ length: 34 }, (_, n) => render(n)));
    expect(all.filter((one) => one !== 'rendered')).toEqual(Array(2).fill('too many pictures wait to be processed'));
    expect(await settled([images.avatar(PIXEL, EDGES)])).toEqual(['rendered']);
  });
});

describe('processing an emoji', () => {
  const pixel = async (bytes: Uint8Array, top: number) =>
    [...(await sharp(bytes).ensureAlpha().extract({ left: 32, top, width: 1, height: 1 }).raw().toBuffer())] as const;

  it.each(['png', 'jpeg', 'gif', 'webp'] as const)('keeps all of a %s', async (kind) => {
    const { still, animation: moving } = await new ImageProcessor().emoji(
      await picture(kind, { width: 90, height: 30 }),
    );
    expect(await sharp(still).metadata()).toMatchObject({ format: 'png', width: 64, height: 64 });
    expect((await pixel(still, 2))[3]).toBe(0);
    expect((await pixel(still, 32))[3]).toBe(255);
    expect(moving).toBeNull();
  });

  it.each(['gif', 'webp'] as const)('keeps the animation of a %s, and returns its first frame', async (kind) => {
    const { still, animation: moving } = await new ImageProcessor().emoji(await animation(kind));
    expect(moving?.kind).toBe(kind);
    const metadata = await sharp(moving?.bytes).metadata();
    expect(metadata).toMatchObject({ format: kind, width: 64, height: 64, pages: 3, delay: [70, 70, 70] });
    expect(await sharp(still).metadata()).toMatchObject({ format: 'png', width: 64, height: 64 });
    expect((await pixel(still, 2))[3]).toBe(0);
    expect((await pixel(still, 32))[3]).toBe(255);
  });

  it('refuses an image that is truncated within any frame', async () => {
    const images = new ImageProcessor();
    for (const kind of ['gif', 'webp'] as const) {
      const whole = await animation(kind, { width: 64, height: 64 });
      for (const part of [0.3, 0.6, 0.9]) {
        const cut = whole.slice(0, Math.floor(whole.length * part));
        expect(await settled([images.emoji(cut)])).toEqual([BROKEN]);
      }
    }
  });

  it('limits the pixels of all frames together, and the number of frames', async () => {
    const images = new ImageProcessor();
    const vast = await animation('gif', { width: 3000, height: 3000, frames: 6 });
    const long = await animation('gif', { width: 2, height: 2, frames: 501 });
    const limit = 'Image size exceeds limit.';
    expect(await settled([images.emoji(vast), images.emoji(long)])).toEqual([limit, limit]);
    expect(await settled([images.avatar(vast, EDGES)])).toEqual(['rendered']);
  });
});
