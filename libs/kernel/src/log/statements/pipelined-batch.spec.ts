import { Client } from 'pg';
import type { TestDatabase } from '../../../../../test/support/server/database';
import { createTestDatabase } from '../../../../../test/support/server/database';
import type { PipelinedStatement } from './pipelined-batch';
import { sendStatements } from './pipelined-batch';

const statement = (name: string, text: string, ...values: PipelinedStatement['values']) => ({ name, text, values });
const add = (a: number, b: number) => statement('add', 'SELECT $1::int4 + $2::int4 AS sum', a, b);
const fail = statement('fail', 'SELECT 1 / ($1::int4)', 0);
const wrong = statement('wrong', 'SELECT nonsense');

describe('a pipelined batch of statements', () => {
  let database: TestDatabase;
  let client: Client;
  beforeEach(async () => {
    database = await createTestDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
  });
  afterEach(async () => {
    await client.end();
    await database.drop();
  });

  it('is answered statement by statement, with tags and rows as text', async () => {
    const series = statement('series', `SELECT n, nullif(n, 2) FROM generate_series(1, 2) AS n`);
    expect(await sendStatements(client, [add(1, 2), series, statement('set', 'SET search_path TO public')])).toEqual([
      { tag: 'SELECT 1', rows: [['3']] },
      {
        tag: 'SELECT 2',
        rows: [
          ['1', '1'],
          ['2', null],
        ],
      },
      { tag: 'SET', rows: [] },
    ]);
  });

  it('prepares a statement once, also when a batch contains it twice', async () => {
    const [first, second] = await sendStatements(client, [add(1, 1), add(2, 2)]);
    expect([first?.rows, second?.rows]).toEqual([[['2']], [['4']]]);
    await sendStatements(client, [add(3, 3)]);
    const { rows } = await client.query(
      `SELECT name, generic_plans + custom_plans AS used FROM pg_prepared_statements`,
    );
    expect(rows).toEqual([{ name: 'add', used: 3 }]);
  });

  it('skips the statements after a failure, and leaves the transaction open for the caller', async () => {
    const begin = statement('begin', 'BEGIN');
    const commit = statement('commit', 'COMMIT');
    await expect(sendStatements(client, [begin, add(1, 1), fail, commit])).rejects.toMatchObject({ code: '22012' });
    await expect(sendStatements(client, [add(1, 1)])).rejects.toMatchObject({ code: '25P02' });
    await client.query('ROLLBACK');
    expect(await sendStatements(client, [add(1, 1)])).toEqual([{ tag: 'SELECT 1', rows: [['2']] }]);
  });

  it.each([
    ['fails', fail, '22012'],
    ['cannot be prepared', wrong, '42703'],
  ])('can be sent again after one that %s, whatever was prepared by then', async (_, culprit, code) => {
    const later = statement('later', 'SELECT $1::text', 'said');
    for (let n = 0; n < 2; n++)
      await expect(sendStatements(client, [add(1, 1), culprit, later])).rejects.toMatchObject({ code });
    expect((await sendStatements(client, [later, add(1, 1)])).map(({ rows }) => rows)).toEqual([[['said']], [['2']]]);
  });

  it('is not begun with a value that cannot be sent', async () => {
    const odd = statement('odd', 'SELECT $1::text', {} as unknown as string);
    await expect(sendStatements(client, [add(1, 1), odd])).rejects.toThrow(
      new TypeError('odd has a value that cannot be sent'),
    );
    expect(await sendStatements(client, [add(1, 1)])).toHaveLength(1);
  });

  it('fails when the connection does', async () => {
    client.on('error', () => undefined);
    const answers = sendStatements(client, [statement('end', 'SELECT pg_terminate_backend(pg_backend_pid())')]);
    await expect(answers).rejects.toThrow();
    await expect(sendStatements(client, [add(1, 1)])).rejects.toThrow();
  });
});
