import type { Readable } from 'node:stream';

/** Bytes of a connection after which other work has its turn: the driver needs about 2 ms for the rows of this many. */
export const BYTES_PER_TURN = 64 * 1024;

/**
 * Reads connections piece by piece, and those with large answers one after the other. Node reads up to two megabytes of
 * a connection before any other one, and the driver makes rows of them at once, so a large answer would delay every
 * other request by 50 ms repeatedly.
 */
export class ReadingPace {
  private readonly paused: Readable[] = [];

  /** @param nextTurn calls back after all other work that is ready; replaced in specs */
  constructor(private readonly nextTurn: (goOn: () => void) => void = setImmediate) {}

  /** @param connection with a listening driver, so that a piece is handled before the pause */
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
