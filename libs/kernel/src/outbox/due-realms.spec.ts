import type { Instant, RealmId } from '../domain/index';
import { DueRealms } from './due-realms';

interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

const search = (name: string, sql = `SELECT realm_id AS id FROM ${name} WHERE due_at <= $1`) => ({ name, sql });
const [mails, bots, orders] = [search('mails'), search('bots'), search('orders', 'SELECT realm_id AS id FROM orders')];

/** A database in which each table has some rows, and a broken one has none that can be read. */
function database(tables: Readonly<Record<string, readonly number[]>>) {
  const statements: Statement[] = [];
  const query = async (statement: Statement) => {
    statements.push(statement);
    const parts = statement.text.split(' UNION ALL ').map((part) => / FROM \(.* FROM (\w+)/.exec(part)?.[1] ?? '');
    const rows = parts.flatMap((table, n) => {
      const found = tables[table];
      if (!found) throw new Error(`${table} is broken`);
      return found.map((id) => ({ search: n, id: id as RealmId }));
    });
    return Promise.resolve({ rows });
  };
  const due = new DueRealms({ query } as never, { now: () => 5_000 as Instant });
  return { due, statements };
}

describe('the searches for organizations with work', () => {
  it('of one turn share a statement, whatever their order is, and each gets what it found', async () => {
    const { due, statements } = database({ mails: [1, 3], bots: [], orders: [2] });
    expect(await Promise.all([due.find(mails), due.find(bots), due.find(orders)])).toEqual([[1, 3], [], [2]]);
    expect(await Promise.all([due.find(orders), due.find(mails), due.find(mails), due.find(bots)])).toEqual([
      [2],
      [1, 3],
      [1, 3],
      [],
    ]);
    expect(statements).toHaveLength(2);
    expect(statements[1]).toEqual(statements[0]);
  });

  it('of different turns have statements of their own, under other names', async () => {
    const { due, statements } = database({ mails: [1], orders: [2] });
    expect(await due.find(mails)).toEqual([1]);
    expect(await due.find(orders)).toEqual([2]);
    expect(statements.map(({ values }) => values)).toEqual([[5_000], []]);
    expect(statements[0]?.name).not.toBe(statements[1]?.name);
  });

  it('do not fail with another one', async () => {
    const { due } = database({ mails: [1] });
    const [found, failed] = await Promise.allSettled([due.find(mails), due.find(bots)]);
    expect(found).toEqual({ status: 'fulfilled', value: [1] });
    expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'bots is broken' } });
    await expect(due.find(bots)).rejects.toThrow('bots is broken');
  });
});
