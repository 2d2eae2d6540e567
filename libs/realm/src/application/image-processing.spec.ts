import type { RealmId, UserId } from '@annals/kernel/domain';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { PIXEL, animation, claimingPicture, picture, turnedPhoto } from '../../../../test/support/requests/pictures';
import { ImageProcessor } from './image-processing';

let accounts = 0;
/** Another account each time. */
const someone = () => ({ realmId: 1 as RealmId, userId: (accounts += 1) as UserId });
const EDGES = { small: 10, medium: 50 };
const BROKEN = 'Could not decode image; did you upload an image file?';
const settled = async (drawings: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(drawings)).map((one) =>
    one.status === 'fulfilled' ? 'rendered' : (one.reason as Error).message,
  );

describe('image processing', () => {
  it('is deterministic, and enlarges small images', async () => {
    const images = new ImageProcessor();
    const [one, other] = [await images.avatar(someone(), PIXEL, EDGES), await images.avatar(someone(), PIXEL, EDGES)];
    expect(Buffer.compare(one.medium, other.medium)).toBe(0);
    expect(one.medium.length).toBeGreaterThan(one.small.length);
  });

  it('continues after an invalid image', async () => {
    const images = new ImageProcessor();
    const cut = (await picture('jpeg')).slice(0, 200);
    const none = new Uint8Array([1, 2, 3]);
    const all = [PIXEL, cut, none, PIXEL].map((bytes) => images.avatar(someone(), bytes, EDGES));
    expect(await settled(all)).toEqual(['rendered', BROKEN, 'Invalid image format', 'rendered']);
  });

  it('processes one image of an account at a time, avatars and emoji together', async () => {
    const images = new ImageProcessor();
    const by = someone();
    const both = [images.emoji(by, PIXEL), images.avatar(by, PIXEL, EDGES)];
    expect(await settled(both)).toEqual([
      'rendered',
      'Another picture that you sent is being processed. Please try again.',
    ]);
    expect(await settled([images.avatar(by, PIXEL, EDGES)])).toEqual(['rendered']);
  });
});

describe('processing an emoji', () => {
  const pixel = async (bytes: Uint8Array, top: number) =>
    [...(await sharp(bytes).ensureAlpha().extract({ left: 32, top, width: 1, height: 1 }).raw().toBuffer())] as const;

  it.each(['png', 'jpeg', 'gif', 'webp'] as const)('keeps all of a %s', async (kind) => {
    const { still, animation: moving } = await new ImageProcessor().emoji(
      someone(),
      await picture(kind, { width: 90, height: 30 }),
    );
    expect(await sharp(still).metadata()).toMatchObject({ format: 'png', width: 64, height: 64 });
    expect((await pixel(still, 2))[3]).toBe(0);
    expect((await pixel(still, 32))[3]).toBe(255);
    expect(moving).toBeNull();
  });

  it.each(['gif', 'webp'] as const)('keeps the animation of a %s, and returns its first frame', async (kind) => {
    const { still, animation: moving } = await new ImageProcessor().emoji(someone(), await animation(kind));
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
        expect(await settled([images.emoji(someone(), cut)])).toEqual([BROKEN]);
      }
    }
  });

  it('limits the pixels of all frames together, and the number of frames', async () => {
    const images = new ImageProcessor();
    const vast = await animation('gif', { width: 3000, height: 3000, frames: 6 });
    const long = await animation('gif', { width: 2, height: 2, frames: 501 });
    const limit = 'Image size exceeds limit.';
    expect(await settled([images.emoji(someone(), vast), images.emoji(someone(), long)])).toEqual([limit, limit]);
    expect(await settled([images.avatar(someone(), vast, EDGES)])).toEqual(['rendered']);
  });
});

describe('processing the picture of an organization', () => {
  const LIMIT = 'Image size exceeds limit.';
  const FIT = { width: 800, height: 100 };
  const images = new ImageProcessor();
  /** As an icon and as a logo. */
  const both = (bytes: Uint8Array) =>
    settled([images.square(someone(), bytes, 100), images.fitting(someone(), bytes, FIT)]);
  const text = (content: string) => new Uint8Array(Buffer.from(content));

  it('refuses what claims to be huge before it is decoded', async () => {
    for (const [width, height] of [
      [60_000, 60_000],
      [50_000_001, 1],
      [7_072, 7_072],
    ] as const)
      expect(await both(await claimingPicture(width, height))).toEqual([LIMIT, LIMIT]);
    expect(await both(await claimingPicture(7_000, 7_000))).toEqual([BROKEN, BROKEN]);
  });

  it.each(['png', 'jpeg', 'gif', 'webp'] as const)('refuses a %s that was cut', async (kind) => {
    const bytes = await picture(kind, { width: 300, height: 300 });
    expect(await both(bytes.slice(0, Math.floor(bytes.length * 0.7)))).toEqual([BROKEN, BROKEN]);
  });

  it.each([
    ['SVG', text('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), 'Invalid image format'],
    ['a document', text('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj'), 'Invalid image format'],
    ['a portable pixmap', text('P6 1 1 255 abc'), 'Invalid image format'],
    ['a web page that begins like a GIF', text('GIF89a/*<script>alert(1)</script>*/=1'), BROKEN],
    ['a web page that begins like a PNG', text('\x89PNG\r\n\x1a\n<script>alert(1)</script>'), 'Invalid image format'],
  ])('refuses %s', async (_, bytes, why) => {
    expect(await both(bytes)).toEqual([why, why]);
  });

  it('decodes one frame of thousands', async () => {
    const long = await animation('gif', { width: 60, height: 40, frames: 5_000 });
    const shown = await sharp(await images.fitting(someone(), long, FIT)).metadata();
    expect(shown).toMatchObject({ format: 'png', width: 60, height: 40 });
    expect(shown.pages).toBeUndefined();
  });

  it('is upright, in the colors of screens, and tells nothing of where a photo was taken', async () => {
    const photo = await turnedPhoto();
    expect(await sharp(photo).metadata()).toMatchObject({ space: 'cmyk', channels: 4, orientation: 6 });
    const { space, channels, width, height, exif, orientation, icc } = await sharp(
      await images.fitting(someone(), photo, FIT),
    ).metadata();
    expect({ space, channels, width, height }).toEqual({ space: 'srgb', channels: 3, width: 67, height: 100 });
    expect([exif, orientation, icc]).toEqual([undefined, undefined, undefined]);
  });

  it('does not keep a text that unpacks to a hundred times its size', async () => {
    const bomb = withChunk(
      PIXEL,
      'zTXt',
      Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(64 << 20))]),
    );
    const before = process.memoryUsage().rss;
    const [outcome] = await settled([images.square(someone(), bomb, 100)]);
    expect(['rendered', BROKEN]).toContain(outcome);
    expect(process.memoryUsage().rss - before).toBeLessThan(48 << 20);
  });
});

/** A PNG with one more chunk behind its header. */
function withChunk(png: Uint8Array, name: string, data: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(name), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  const HEADER_END = 33;
  return Buffer.concat([png.subarray(0, HEADER_END), chunk, png.subarray(HEADER_END)]);
}
