import { ManualClock } from '@annals/kernel/domain';
import type { Instant } from '@annals/kernel/domain';
import { EndingSweep } from './ending-sweep';

/** Ends what these pages list, except in one organization. @returns what was ended, and in how many pages */
async function swept(...pages: readonly (readonly number[])[]) {
  let read = 0;
  const query = async ({ name }: { readonly name: string }) => {
    const page = name === 'invitations-dead' ? (pages[read++] ?? []) : [];
    return { rows: page.map((realmId, n) => ({ realmId, id: n, reason: 'expired' })) };
  };
  const options = { log: { warn: () => undefined } };
  const kernel = { database: { pool: { query } }, clock: new ManualClock(0 as Instant), options };
  const ended: number[] = [];
  const invitation = async ({ realmId }: { readonly realmId: number }) => {
    if (realmId === 13) throw new TypeError('a mistake');
    ended.push(realmId);
  };
  await new EndingSweep(kernel as never, { invitation, registration: () => Promise.resolve() }).sweep();
  return { ended: ended.length, read };
}

describe('invitations that nobody can use any more', () => {
  const full = Array<number>(200).fill(1);

  it('are ended page by page', async () => {
    expect(await swept(full, [2])).toEqual({ ended: 201, read: 2 });
  });

  it('are ended although one of another organization cannot be, which is not tried for ever', async () => {
    expect(await swept([13, 2, 3])).toEqual({ ended: 2, read: 1 });
    expect(await swept([13, ...full.slice(1)], full)).toEqual({ ended: 199, read: 1 });
  });
});
