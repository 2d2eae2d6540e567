import { PassThrough, Readable } from 'node:stream';
import { createTestDatabase } from '../../../../test/support/server/database';
import { Database } from './database';
import { BYTES_PER_TURN, paceReading } from './reading-pace';

const PIECE = BYTES_PER_TURN / 4;

/** Bytes that a listener has had in each turn, when all pieces are there at once. */
async function bytesByTurn(stream: Readable): Promise<number[]> {
  const turns = [0];
  stream.on('data', (piece: Buffer) => (turns[turns.length - 1] = (turns.at(-1) ?? 0) + piece.length));
  const waiting: (() => void)[] = [];
  paceReading(stream, (resume) => waiting.push(resume));
  const ended = new Promise((resolve) => stream.once('end', resolve));
  const next = () => new Promise<void>((resolve) => setImmediate(resolve));
  for (await next(); waiting.length > 0; await next()) {
    turns.push(0);
    waiting.shift()?.();
  }
  await ended;
  return turns;
}

describe('reading at a pace', () => {
  it('ends a turn with so many bytes, however many are there', async () => {
    const pieces = Array.from({ length: 41 }, () => Buffer.alloc(PIECE));
    const turns = await bytesByTurn(Readable.from(pieces, { objectMode: false, highWaterMark: 41 * PIECE }));
    expect(turns).toEqual([...Array.from({ length: 10 }, () => BYTES_PER_TURN), PIECE]);
  });

  it('lets a small answer through at once', async () => {
    const stream = new PassThrough();
    stream.end(Buffer.alloc(PIECE));
    expect(await bytesByTurn(stream)).toEqual([PIECE]);
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
