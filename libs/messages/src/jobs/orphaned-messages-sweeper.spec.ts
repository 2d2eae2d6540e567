import type { OrphanedOrder } from '../read/upkeep/orphaned-orders';
import { OrphanedMessagesSweeper } from './orphaned-messages-sweeper';

describe('the deletion of messages of deleted accounts', () => {
  it('goes on in the other organizations when it fails in one, and logs that', async () => {
    const rows = [1, 2].map((realmId) => ({ realmId, position: 40, senderId: 7 }));
    const warnings: unknown[] = [];
    const kernel = {
      database: { pool: { query: () => Promise.resolve({ rows }) } },
      due: { find: () => Promise.resolve([1, 2]) },
      options: { log: { warn: (what: unknown) => warnings.push(what) } },
    };
    const deleted: number[] = [];
    const deleteAll = async ({ realmId }: OrphanedOrder) => {
      if (realmId === 1) throw new TypeError('a mistake');
      deleted.push(realmId);
    };
    await new OrphanedMessagesSweeper(kernel as never, { deleteAll }).sweep();
    expect([deleted, warnings]).toEqual([[2], [{ err: new TypeError('a mistake'), realm: 1, position: 40 }]]);
  });
});
