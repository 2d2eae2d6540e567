/**
 * A value whose JSON text exists already, for large parts of an answer that many callers share. A field of an answer
 * may be one. Anywhere else it is written like its value.
 */
export class ReadyJson {
  constructor(readonly text: string) {}

  toJSON(): unknown {
    return JSON.parse(this.text) as unknown;
  }
}
