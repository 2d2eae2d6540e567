import type { Readable } from 'node:stream';

/** What an endpoint at the root answers instead of the envelope. */
export class Bytes {
  /**
   * @param headers `Content-Length` among them
   * @param content empty where only the headers were asked for; whoever answers reads or destroys it
   */
  constructor(
    readonly status: number,
    readonly headers: Readonly<Record<string, string>>,
    readonly content: Readable,
  ) {}
}
