import { Readable } from 'node:stream';
import { createTestDatabase } from '../../../../test/support/server/database';
import { Database } from './database';
import { BYTES_PER_TURN, ReadingPace } from './reading-pace';

const PIECE = BYTES_PER_TURN / 4;

/** Pieces that are all available at once. */
const ready = (pieces: number): Readable =>
  Readable.from(
    Array.from({ length: pieces }, () => Buffer.alloc(PIECE)),
    { objectMode: false, highWaterMark: (pieces + 1) * PIECE },
  );

/** Bytes that the listeners of some streams received in each turn. */
async function bytesByTurn(...streams: readonly Readable[]): Promise<number[]> {
  const turns = [0];
  const waiting: (() => void)[] = [];
  const pace = new ReadingPace((goOn) => waiting.push(goOn));
  const ended = streams.map((stream) => {
    stream.on('data', (piece: Buffer) => (turns[turns.length - 1] = (turns.at(-1) ?? 0) + piece.length));
    pace.pace(stream);
    return new Promise((resolve) => stream.once('end', resolve));
  });
  const next = () => new Promise<void>((resolve) => setImmediate(resolve));
  for (await next(); waiting.length > 0; await next()) {
    turns.push(0);
    waiting.shift()?.();
  }
  await Promise.all(ended);
  return turns;
}

describe('reading at a pace', () => {
  it('ends a turn after so many bytes, however many are available', async () => {
    expect(await bytesByTurn(ready(41))).toEqual([...Array.from({ length: 10 }, () => BYTES_PER_TURN), PIECE]);
  });

  it('continues with one connection in each turn', async () => {
    const turns = await bytesByTurn(ready(16), ready(16), ready(16));
    expect(turns[0]).toBe(3 * BYTES_PER_TURN);
    expect(Math.max(...turns.slice(1))).toBe(BYTES_PER_TURN);
    expect(turns.reduce((sum, bytes) => sum + bytes, 0)).toBe(48 * PIECE);
  });

  it('passes on a small answer at once', async () => {
    expect(await bytesByTurn(ready(1))).toEqual([PIECE]);
  });
});

describe('a connection of the database', () => {
  it('reads a large answer in many turns, and all of it', async () => {
    const { url, drop } = await createTestDatabase();
    const database = await Database.connect(url, { poolSize: 1 });
    try {
      const client = await database.pool.connect();
      const { stream } = (client as unknown as { readonly connection: { readonly stream: Readable } }).connection;
      const pause = jest.spyOn(stream, 'pause');
      const { rows } = await client.query<{ n: number; text: string }>(
        `SELECT n, repeat('x', 1000) AS text FROM generate_series(1, 2000) AS n`,
      );
      client.release();
      expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 2_000 }, (_, n) => n + 1));
      expect(rows.every(({ text }) => text.length === 1_000)).toBe(true);
      // A turn ends with the piece that fills it, which may be one of 64 KiB behind nearly as many bytes.
      expect(pause.mock.calls.length).toBeGreaterThanOrEqual(Math.floor(2_000_000 / (2 * BYTES_PER_TURN)));
    } finally {
      await database.close();
      await drop();
    }
  });
});
