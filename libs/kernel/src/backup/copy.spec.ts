import { Client } from 'pg';
import type { TestDatabase } from '../../../../test/support/server/database';
import { createTestDatabase } from '../../../../test/support/server/database';
import { copyIn, copyOut } from './copy';

/** Far more than a block, and than the buffers of a connection. */
const ROWS = 200_000;
const NUMBERS = `COPY (SELECT n, repeat('x', 50) FROM generate_series(1, ${ROWS}) AS n) TO STDOUT`;

let database: TestDatabase;
let client: Client;
beforeAll(async () => (database = await createTestDatabase()));
beforeEach(async () => {
  client = new Client({ connectionString: database.url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('CREATE TEMP TABLE numbers (n int4 PRIMARY KEY)');
});
afterEach(() => client.end());
afterAll(() => database.drop());

async function* rows(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}
const stored = async () =>
  (await client.query<{ n: number }>('SELECT n FROM numbers ORDER BY n')).rows.map(({ n }) => n);

describe('COPY to a process', () => {
  it('gives every row in order, and reads no more while a block is being written', async () => {
    let [text, atOnce, most] = ['', 0, 0];
    const count = await copyOut(client, NUMBERS, async (block) => {
      most = Math.max(most, ++atOnce);
      await new Promise(setImmediate);
      text += block.toString();
      atOnce--;
    });
    expect([count, most]).toEqual([ROWS, 1]);
    const lines = text.split('\n');
    expect(lines).toHaveLength(ROWS + 1);
    expect(lines.slice(0, ROWS).every((line, index) => line.startsWith(`${index + 1}\tx`))).toBe(true);
    expect(await stored()).toEqual([]);
  });

  it('fails with the error that kept a block from being written', async () => {
    let blocks = 0;
    const full = copyOut(client, NUMBERS, async () => {
      if (++blocks === 3) throw new Error('no space left on device');
    });
    await expect(full).rejects.toThrow('no space left on device');
    expect(blocks).toBe(3);
  });

  it('fails with the error of PostgreSQL, and the connection remains usable', async () => {
    const write = async () => undefined;
    await expect(copyOut(client, 'COPY nothing TO STDOUT', write)).rejects.toThrow('relation "nothing" does not exist');
    await expect(
      copyOut(client, 'COPY (SELECT 1 / (3 - n) FROM generate_series(1, 9) n) TO STDOUT', write),
    ).rejects.toThrow('division by zero');
    expect(await stored()).toEqual([]);
  });
});

describe('COPY from a process', () => {
  const into = (source: AsyncIterable<Uint8Array>) => copyIn(client, 'COPY numbers FROM STDIN', source);

  it('stores all bytes, however they are divided', async () => {
    expect(await into(rows('1\n2', '\n', '30', '0\n'))).toBe(3);
    expect(await stored()).toEqual([1, 2, 300]);
  });

  it('stores nothing of a source that fails, and the connection remains usable', async () => {
    async function* broken() {
      yield* rows('1\n2\n');
      throw new Error('it is not what was written');
    }
    await expect(into(broken())).rejects.toThrow('it is not what was written');
    expect(await stored()).toEqual([]);
  });

  it('fails with the error of PostgreSQL for a row', async () => {
    await expect(into(rows('1\n', 'x\n', '3\n'))).rejects.toThrow('invalid input syntax for type integer: "x"');
    expect(await stored()).toEqual([]);
  });
});
