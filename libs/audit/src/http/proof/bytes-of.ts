import { Readable } from 'node:stream';
import type { RequestInfo } from '@annals/web';
import { Bytes } from '@annals/web';

/** The answer with some bytes instead of the envelope. */
export function answerWithBytes(
  content: Buffer,
  headers: Readonly<Record<string, string>>,
  { wantsHeadersOnly }: Pick<RequestInfo, 'wantsHeadersOnly'>,
): Bytes {
  const all = { ...headers, 'Content-Length': String(content.length), 'X-Content-Type-Options': 'nosniff' };
  return new Bytes(200, all, Readable.from(wantsHeadersOnly ? [] : [content]));
}
