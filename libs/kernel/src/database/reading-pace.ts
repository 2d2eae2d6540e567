import type { Readable } from 'node:stream';

/** Bytes of an answer after which everything else has its turn: the driver makes rows of as many in about 2 ms. */
export const BYTES_PER_TURN = 64 * 1024;

/**
 * Reads a connection piece by piece. Node reads up to two megabytes of a connection before it looks at any other one,
 * and the driver makes rows of them at once: a large answer would keep every other request waiting for 50 ms, again and
 * again.
 *
 * @param nextTurn calls back after everything else that is ready; tests have their own
 */
export function paceReading(stream: Readable, nextTurn: (resume: () => void) => void = setImmediate): void {
  let received = 0;
  // The driver has its listener already, so the piece that fills the turn is dealt with before the pause.
  stream.on('data', (piece: Buffer) => {
    received += piece.length;
    if (received < BYTES_PER_TURN) return;
    received = 0;
    stream.pause();
    nextTurn(() => stream.resume());
  });
}
