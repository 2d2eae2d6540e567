/**
 * A value whose JSON text is there already, for large parts of an answer that many callers share. A field of an answer
 * may be one; anywhere else it is written like the value it stands for.
 */
export class ReadyJson {
  constructor(readonly text: string) {}

  toJSON(): unknown {
    return JSON.parse(this.text) as unknown;
  }
}
