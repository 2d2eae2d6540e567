import type { TestKernel } from '../../../../../test/support/server/kernel';
import { openTestKernel } from '../../../../../test/support/server/kernel';
import { searchWithin } from './bounded-search';

let test: TestKernel;
beforeAll(async () => {
  test = await openTestKernel([]);
});
afterAll(() => test.close());

describe('a search', () => {
  it('that takes too long is refused, and the next one on its connection may take longer', async () => {
    const { database } = test.kernel;
    const search = (ms: number, seconds: number) =>
      searchWithin(database, ms, async (client) => (await client.query(`SELECT pg_sleep(${seconds})`)).rowCount);
    await expect(search(20, 600)).rejects.toMatchObject({ code: 'TOO_MANY' });
    expect(await search(60_000, 0.05)).toBe(1);
    const { rows } = await database.pool.query<{ statement_timeout: string }>('SHOW statement_timeout');
    expect(rows).toEqual([{ statement_timeout: '1min' }]);
  });
});
