import type { Instant, RealmId } from '@annals/kernel/domain';
import { ManualClock } from '@annals/kernel/domain';
import { MailLimits } from './mail-limits';

const [ours, theirs] = [1 as RealmId, 2 as RealmId];
const clock = new ManualClock(0 as Instant);
let limits: MailLimits;
beforeEach(() => {
  clock.advance(60_000);
  limits = new MailLimits(clock);
});

/** Mails of one sender to one address, or each to another one. */
function arrive(
  count: number,
  realmId: RealmId,
  { address, sender }: { address?: string; sender?: string } = {},
): void {
  for (let n = 0; n < count; n += 1)
    limits.count(realmId, { address: address ?? `address ${n}`, sender: sender ?? `sender ${n}`, all: '' });
}
const tooMany = expect.objectContaining({ message: expect.stringContaining('Too many') as string }) as Error;

describe('the limits of mails', () => {
  it.each([
    ['one address', { address: 'plans' }, 30],
    ['one sender', { sender: 'ci@example.com' }, 30],
    ['an organization', {}, 200],
  ])('are those of %s, for a minute', (_, of, most) => {
    arrive(most, ours, of);
    expect(() => arrive(1, ours, { address: 'last', sender: 'last', ...of })).toThrow(tooMany);
    clock.advance(60_000);
    arrive(1, ours, of);
  });

  it('are those of each organization by itself, also for the same sender', () => {
    const flood = { sender: 'ci@example.com' };
    arrive(30, theirs, flood);
    expect(() => arrive(1, theirs, flood)).toThrow(tooMany);
    arrive(30, ours, flood);
  });
});
