import type { Readable } from 'node:stream';

/** The answer of an endpoint that declares `root` or `bytes`, instead of the envelope. */
export class Bytes {
  /**
   * @param headers including `Content-Length`, unless the length is not known
   * @param content empty for a HEAD request. The caller reads or destroys it
   */
  constructor(
    readonly status: number,
    readonly headers: Readonly<Record<string, string>>,
    readonly content: Readable,
  ) {}
}
