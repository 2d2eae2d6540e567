import type { Answer } from '../server/caller';
import { granted } from '../server/caller';
import type { Person } from '../server/organization';

/** The answer of `POST /user_uploads`. */
export type UploadedFile = {
  readonly url: string;
  readonly uri: string;
  readonly filename: string;
};

/** An attachment on the wire. */
export interface WireAttachment {
  readonly id: number;
  readonly name: string;
  readonly path_id: string;
  readonly size: number;
  readonly create_time: number;
  readonly message_ids: readonly number[];
}

/** The uploader, and the URL of the server. */
export type Uploader = Pick<Person, 'email' | 'key' | 'url'>;

const authorization = ({ email, key }: Pick<Person, 'email' | 'key'>) => `Basic ${btoa(`${email}:${key}`)}`;

/** Sends a multipart body unchanged. */
export async function sendParts(
  by: Uploader,
  form: FormData | string,
  headers: Record<string, string> = {},
): Promise<Answer<UploadedFile>> {
  const response = await fetch(`${by.url}/api/v1/user_uploads`, {
    method: 'POST',
    headers: { authorization: authorization(by), ...headers },
    body: form,
  });
  return {
    status: response.status,
    body: (await response.json()) as Answer<UploadedFile>['body'],
    headers: response.headers,
  };
}

/** Uploads one file. @throws Error when that is refused */
export async function uploadFile(
  by: Person,
  content: string | Uint8Array<ArrayBuffer> = 'some bytes',
  { name = 'notes.txt', type = '' }: { name?: string; type?: string } = {},
): Promise<UploadedFile> {
  const form = new FormData();
  form.append('filename', new Blob([content], { type }), name);
  return granted(await sendParts(by, form));
}

/** Requests a path of the server itself, with or without this user's login. */
export const download = (
  by: Person | null,
  path: string,
  { url = by?.url ?? '', ...init }: RequestInit & { url?: string } = {},
): Promise<Response> =>
  fetch(`${url}${path}`, {
    ...init,
    headers: { ...(by && { authorization: authorization(by) }), ...(init.headers as Record<string, string>) },
  });

/** Status of a download, and its bytes as text. */
export async function fetched(by: Person | null, path: string, init: RequestInit & { url?: string } = {}) {
  const response = await download(by, path, init);
  return { status: response.status, text: await response.text() };
}

/** A user's files. */
export const attachmentsOf = async (by: Person) =>
  granted(await by.get<{ attachments: WireAttachment[]; upload_space_used: number }>('/attachments'));
