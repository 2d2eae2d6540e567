import type { Backup } from '../../../../test/support/faults/backup';
import { backUp } from '../../../../test/support/faults/backup';
import type { Kernel } from '../kernel';
import { Overloaded } from '../log/errors';
import { verifyLog } from '../log/verify/verify';
import { note } from '../spec-support/toy-context';
import type { ToyKernel } from '../spec-support/toy-kernel';
import { openToyKernel, realm, system } from '../spec-support/toy-kernel';
import { discardStateBeyondLog } from './discard-state';
import { stateRestored } from './state-restored';

describe('after a restore from a backup', () => {
  let toy: ToyKernel;
  let backup: Backup;

  const write = (text: string, kernel = toy.kernel) =>
    kernel.work.run(system(), async (work) => work.open('note', note(text)));
  const head = async (kernel: Kernel) => (await kernel.events.heads([realm])).get(realm);

  /** Three notes, a backup, three more. */
  beforeEach(async () => {
    toy = await openToyKernel();
    for (const text of ['a', 'b', 'c']) await write(text);
    backup = await backUp(toy.url);
    // Connections that the backup cut are noticed when they are used.
    const kernel = await toy.another();
    for (const text of ['d', 'e', 'f']) await write(text, kernel);
    await kernel.fence.reach(realm);
  });
  afterEach(async () => {
    await toy.close();
    await backup.drop();
  });

  it('a process that knows positions beyond the end of the log refuses for good, and must be restarted', async () => {
    const lived = await toy.another();
    await lived.fence.reach(realm);
    await backup.restore();
    await expect(lived.fence.reach(realm)).rejects.toThrow('ends at 3, it was at 6 before');
    await expect(lived.fence.reach(realm)).rejects.toThrow(Overloaded);
    expect(await lived.takenBack).toBe('the log of realm 1 ends at 3, it was at 6 before');
    // The positions return with other events, which makes the caches no more correct.
    const fresh = await toy.another();
    for (const text of ['g', 'h', 'i', 'j']) await write(text, fresh);
    await expect(lived.fence.reach(realm)).rejects.toThrow('has to start again');
    await expect(write('k', lived)).rejects.toThrow(Overloaded);
    expect(await head(fresh)).toBe(7);
  });

  it('a process that did not read the log meanwhile notices the restore by its new installation id, however long the log is again', async () => {
    const lived = await toy.another();
    await lived.fence.reach(realm);
    await backup.restore();
    const operator = await toy.another();
    await discardStateBeyondLog(operator);
    const fresh = await toy.another();
    expect(fresh.prefix).not.toBe(operator.prefix);
    expect(await stateRestored(fresh, 'spec')).toEqual(new Map([[realm, 3]]));
    for (const text of ['g', 'h', 'i', 'j']) await write(text, fresh);
    expect(await head(fresh)).toBe(8);
    await expect(lived.fence.reach(realm)).rejects.toThrow('the operator said that the database was restored');
    expect(await lived.takenBack).toBe('the operator said that the database was restored');
  });

  it('logs continue without a gap, complete, and with an event that they were restored', async () => {
    await backup.restore();
    await discardStateBeyondLog(await toy.another());
    const fresh = await toy.another();
    await stateRestored(fresh, 'annals restored');
    await write('g', fresh);
    const events = await fresh.events.page(realm, 0, 100);
    expect(events.map(({ position, type }) => [position, type])).toEqual([
      [1, 'toy.Noted'],
      [2, 'toy.Noted'],
      [3, 'toy.Noted'],
      [4, 'kernel.Restored'],
      [5, 'toy.Noted'],
    ]);
    expect(events[3]).toMatchObject({ stream: 'log', version: 1, actorId: null, client: 'annals restored' });
    expect(await verifyLog(fresh.events, fresh.database.pool, realm)).toMatchObject({ events: 5, failure: null });
  });
});
