/** The append depended on something that no longer holds, so it has to be decided again. Nothing was stored. */
export class Conflict extends Error {
  override readonly name = 'Conflict';

  constructor(
    message: string,
    /** The stream that has changed. Undefined when a guard failed. */
    readonly stream?: string,
  ) {
    super(message);
  }
}

/** More work is waiting than can be done soon. The caller gets 503 and may try again. Nothing was written. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

/** This process is about to end. Nothing is wrong, and another process can serve the caller. */
export class ShuttingDown extends Overloaded {
  constructor() {
    super('the server is shutting down');
  }
}

/** The connection broke during a commit, and for minutes the database could not be asked whether it took effect. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** Errors that no append caused. To try the halves of the batch would not help, or write them twice. */
export const isAboutAll = (error: unknown): boolean => error instanceof Overloaded || error instanceof OutcomeUnknown;
