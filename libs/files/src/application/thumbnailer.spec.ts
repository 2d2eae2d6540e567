import sharp from 'sharp';
import { animation, claimingPicture, picture } from '../../../../test/support/requests/pictures';
import { imageHeader, thumbnailsOf } from './thumbnailer';

const made = async (bytes: Uint8Array) => {
  const { thumbnails, ...image } = await thumbnailsOf(bytes);
  const sizes: Record<string, unknown> = {};
  for (const [name, thumbnail] of thumbnails) {
    const { format, width, height, pages = 1, exif } = await sharp(thumbnail).metadata();
    sizes[name] = [format, width, height, pages, exif];
  }
  return { ...image, sizes };
};
const fault = (bytes: Uint8Array) =>
  thumbnailsOf(bytes).then(
    () => 'none',
    (error: { fault?: string }) => error.fault,
  );

describe('thumbnails', () => {
  it('fit into their format, and are never enlarged', async () => {
    const large = await picture('jpeg', { width: 1_680, height: 560 });
    const image = { contentType: 'image/jpeg', width: 1_680, height: 560, isAnimated: false };
    expect(await made(large)).toEqual({ ...image, sizes: { '840x560.webp': ['webp', 840, 280, 1, undefined] } });
    expect((await made(await picture('png'))).sizes).toEqual({ '840x560.webp': ['webp', 60, 40, 1, undefined] });
  });

  it('are upright, and tell nothing of where a photo was taken', async () => {
    const exif = { IFD0: { Copyright: 'somewhere' } };
    const lying = sharp(await picture('jpeg')).withExif(exif);
    const photo = await lying.withMetadata({ orientation: 6 }).toBuffer();
    expect(await made(photo)).toMatchObject({
      ...{ width: 40, height: 60 },
      sizes: { '840x560.webp': ['webp', 40, 60, 1, undefined] },
    });
    expect(await imageHeader(photo)).toEqual({ contentType: 'image/jpeg', width: 40, height: 60 });
  });

  it.each(['gif', 'webp'] as const)('of an animated %s exist with and without its frames', async (kind) => {
    const { isAnimated, sizes } = await made(await animation(kind));
    expect([isAnimated, Object.keys(sizes)]).toEqual([true, ['840x560-anim.webp', '840x560.webp']]);
    expect(sizes).toMatchObject({ '840x560-anim.webp': ['webp', 90, 30, 3, undefined] });
  });

  it('of TIFF include a large picture, because browsers do not show the original', async () => {
    const tiff = await sharp(await picture('png', { width: 900, height: 600 }))
      .tiff()
      .toBuffer();
    expect(await made(tiff)).toMatchObject({
      contentType: 'image/tiff',
      sizes: { '840x560.webp': ['webp', 840, 560, 1, undefined], '4032x3024.webp': ['webp', 900, 600, 1, undefined] },
    });
  });

  it('of AVIF exist', async () => {
    const avif = await sharp(await picture('png'))
      .avif({ effort: 0 })
      .toBuffer();
    expect(await made(avif)).toMatchObject({ contentType: 'image/avif', width: 60, height: 40 });
  });
});

describe('what is no image, or too much of one', () => {
  const text = (content: string) => Buffer.from(content);
  it.each([
    ['nothing', text('')],
    ['a text', text('hello')],
    ['SVG', text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>')],
    ['a document', text('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>')],
    ['a portable pixmap', text('P6 1 1 255 abc')],
    ['a web page that begins like a GIF', text('GIF89a/*<script>alert(1)</script>*/=1')],
    ['another format of the decoder', text('# ImageMagick pixel enumeration: 1,1,255,srgb\n0,0: (0,0,0)')],
  ])('%s has no thumbnails, and no size', async (_, bytes) => {
    expect([await fault(bytes), await imageHeader(bytes)]).toEqual(['unreadable', null]);
  });

  it.each(['png', 'jpeg', 'gif', 'webp'] as const)('a %s that was cut has none', async (kind) => {
    const bytes = await picture(kind, { width: 300, height: 300 });
    expect(await fault(bytes.slice(0, Math.floor(bytes.length * 0.7)))).toBe('unreadable');
  });

  it('a picture that claims to be huge is not decoded', async () => {
    expect(await fault(await claimingPicture(60_000, 60_000))).toBe('too-large');
    expect(await fault(await claimingPicture(8_001, 8_000))).toBe('too-large');
    // It has fewer pixels than it says.
    expect(await fault(await claimingPicture(8_000, 8_000))).toBe('unreadable');
  });

  it('an animation of too many pixels keeps as many frames as may be decoded', async () => {
    const { sizes } = await made(await animation('gif', { width: 4, height: 2, frames: 600 }));
    expect(sizes).toMatchObject({ '840x560-anim.webp': ['webp', 4, 2, 500, undefined] });
  });

  it('a second format behind a picture does not get into its thumbnail', async () => {
    const both = Buffer.concat([await picture('png'), text('<script>alert(1)</script>')]);
    for (const thumbnail of (await thumbnailsOf(both)).thumbnails.values())
      expect(Buffer.from(thumbnail).includes('script')).toBe(false);
  });
});
