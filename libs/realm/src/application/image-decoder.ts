import type Sharp from 'sharp';

/** The only decoders that are enabled, for the types of images that browsers know, and TIFF. */
const DECODERS = ['Png', 'Jpeg', 'Nsgif', 'Webp', 'Tiff', 'Heif'].map((kind) => `VipsForeignLoad${kind}`);

let loaded: Promise<typeof Sharp> | null = null;

/**
 * The library that decodes images, for the whole process: without a cache, on one thread, and with few decoders. It is
 * loaded with the first image, so that the start does not wait for it.
 */
export function imageDecoder(): Promise<typeof Sharp> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: DECODERS });
  return sharp;
}
