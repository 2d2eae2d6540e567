import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Answer } from '../server/caller';
import { PNG } from './emoji';
import type { Person } from '../server/organization';

/** The sender, and the URL of the server. */
type Sender = Pick<Person, 'email' | 'key' | 'url'>;

export type Picture = Uint8Array<ArrayBuffer>;

/** The smallest picture there is. */
export const PIXEL: Picture = new Uint8Array(PNG);

/** A picture of one color. */
export async function picture(
  kind: 'png' | 'jpeg' | 'gif' | 'webp',
  { width = 60, height = 40, color = '#00ff00' }: { width?: number; height?: number; color?: string } = {},
): Promise<Picture> {
  const drawn = sharp({ create: { width, height, channels: 3, background: color } });
  return new Uint8Array(await drawn[kind]().toBuffer());
}

/** A PNG whose header says that it is larger than it is. */
export async function claimingPicture(width: number, height: number): Promise<Picture> {
  const bytes = await picture('png');
  const header = new DataView(bytes.buffer);
  header.setUint32(16, width);
  header.setUint32(20, height);
  return bytes;
}

/** A photo that was taken with the camera turned, with the colors of a printer, and with what the camera noted. */
export async function turnedPhoto({ width = 300, height = 200 } = {}): Promise<Picture> {
  const photo = sharp(await picture('png', { width, height }))
    .toColorspace('cmyk')
    .withMetadata({ orientation: 6, icc: 'cmyk' })
    .withExifMerge({ IFD0: { Copyright: 'somewhere' } });
  return new Uint8Array(await photo.jpeg().toBuffer());
}

/** A picture that moves, each frame of another color. */
export async function animation(
  kind: 'gif' | 'webp',
  { width = 90, height = 30, frames = 3 }: { width?: number; height?: number; frames?: number } = {},
): Promise<Picture> {
  const pixels = width * height;
  const raw = Buffer.alloc(pixels * frames * 3, 255);
  for (let frame = 0; frame < frames; frame += 1) {
    // Encoders make one frame of neighbors that look alike.
    const color = Buffer.from([(frame * 83) % 256, (frame * 157) % 256, frame % 2 === 0 ? 0 : 255]);
    raw.fill(color, frame * pixels * 3, (frame + 1) * pixels * 3);
  }
  const input = { width, height: height * frames, channels: 3 as const, pageHeight: height };
  return new Uint8Array(
    await sharp(raw, { raw: input })
      [kind]({ delay: Array<number>(frames).fill(70) })
      .toBuffer(),
  );
}

/** Files of the server's own store, below a folder of it. */
export function storedFiles(dataDir: string, folder: string): string[] {
  const path = join(dataDir, 'files', folder);
  if (!existsSync(path)) return [];
  const found = readdirSync(path, { recursive: true, withFileTypes: true });
  return found.flatMap((one) => (one.isFile() ? [one.name] : [])).sort();
}

/** Sends images, usually one, with plain fields. */
export async function sendPicture<Fields = Record<string, unknown>>(
  by: Sender,
  method: 'POST' | 'PATCH',
  path: string,
  {
    pictures = [PIXEL],
    fields = {},
  }: { pictures?: readonly Picture[]; fields?: Readonly<Record<string, string>> } = {},
): Promise<Answer<Fields>> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const one of pictures) form.append('file', new Blob([one]), 'picture.png');
  const response = await fetch(`${by.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Basic ${btoa(`${by.email}:${by.key}`)}` },
    body: form,
  });
  return {
    status: response.status,
    body: (await response.json()) as Answer<Fields>['body'],
    headers: response.headers,
  };
}

/** Shows a picture of one's own. */
export const setAvatar = (by: Sender, ...pictures: readonly Picture[]) =>
  sendPicture<{ avatar_url: string }>(by, 'POST', '/users/me/avatar', pictures.length > 0 ? { pictures } : {});
