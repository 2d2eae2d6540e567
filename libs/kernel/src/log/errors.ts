/** The append depended on something that no longer holds: decide again. Nothing was stored. */
export class Conflict extends Error {
  override readonly name = 'Conflict';

  constructor(
    message: string,
    /** The stream that moved on; undefined when a guard failed. */
    readonly stream?: string,
  ) {
    super(message);
  }
}

/** More work is waiting than can be done soon; the caller gets 503 and may come back. Nothing was written. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

/** This process is about to end: nothing is wrong, and the caller is served elsewhere. */
export class ShuttingDown extends Overloaded {
  constructor() {
    super('the server is shutting down');
  }
}

/** The connection broke during a commit, and for minutes the database could not be asked whether it took effect. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** What is no append's fault: to try the halves of its batch would help nobody, or write them twice. */
export const isAboutAll = (error: unknown): boolean => error instanceof Overloaded || error instanceof OutcomeUnknown;
