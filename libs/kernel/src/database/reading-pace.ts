import type { Readable } from 'node:stream';

/** Bytes of a connection after which everything else has its turn: the driver makes rows of as many in about 2 ms. */
export const BYTES_PER_TURN = 64 * 1024;

/**
 * Reads connections piece by piece, and those with large answers one after the other. Node reads up to two megabytes of
 * a connection before it looks at any other one, and the driver makes rows of them at once: a large answer would keep
 * every other request waiting for 50 ms, again and again.
 */
export class ReadingPace {
  private readonly paused: Readable[] = [];

  /** @param nextTurn calls back after everything else that is ready; tests have their own */
  constructor(private readonly nextTurn: (goOn: () => void) => void = setImmediate) {}

  /** @param connection whose driver listens already, so that a piece is dealt with before the pause */
  pace(connection: Readable): void {
    let received = 0;
    connection.on('data', (piece: Buffer) => {
      received += piece.length;
      if (received < BYTES_PER_TURN) return;
      received = 0;
      connection.pause();
      this.paused.push(connection);
      if (this.paused.length === 1) this.nextTurn(this.resumeOne);
    });
  }

  private readonly resumeOne = (): void => {
    this.paused.shift()?.resume();
    if (this.paused.length > 0) this.nextTurn(this.resumeOne);
  };
}
