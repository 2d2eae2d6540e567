import type { Answer, Caller } from '../server/caller';
import type { Person } from '../server/organization';

/** The smallest PNG there is: one transparent pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** An emoji of the organization's own on the wire. */
export interface WireEmoji {
  readonly id: string;
  readonly name: string;
  readonly source_url: string;
  readonly still_url: string | null;
  readonly deactivated: boolean;
  readonly author_id: number | null;
}

/** Adds an emoji with these pictures, one as a rule, at an address of the server. */
export async function addEmoji(
  by: Person,
  name: string,
  pictures: readonly Uint8Array<ArrayBuffer>[] = [new Uint8Array(PNG)],
  url: string = by.url,
): Promise<Answer> {
  const form = new FormData();
  for (const picture of pictures) form.append('filename', new Blob([picture]), 'picture.png');
  form.append('note', 'no file');
  const response = await fetch(`${url}/api/v1/realm/emoji/${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${by.email}:${by.key}`)}` },
    body: form,
  });
  return { status: response.status, body: (await response.json()) as Answer['body'], headers: response.headers };
}

/** All of them by id. */
export const emojiOf = async (by: Caller): Promise<Readonly<Record<string, WireEmoji>>> =>
  (await by.get<{ emoji: Record<string, WireEmoji> }>('/realm/emoji')).body.emoji;
