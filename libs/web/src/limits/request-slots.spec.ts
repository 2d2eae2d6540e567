import fc from 'fast-check';
import type { Slot, SlotLimits } from './request-slots';
import { RequestSlots } from './request-slots';

const NEVER_MS = 3_600_000;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Takes and frees slots, and records who began in which order. */
class Traffic {
  readonly begun: string[] = [];
  readonly running: { readonly owner: string; readonly slot: Slot }[] = [];
  readonly slots: RequestSlots<string>;

  constructor(limits: Partial<SlotLimits>) {
    this.slots = new RequestSlots({ ofOne: 2, inAll: 3, aloneMs: NEVER_MS, lapseMs: NEVER_MS, ...limits });
    // Nobody is alone.
    for (const owner of ['earlier', 'another one']) (this.slots.take(owner) as Slot).free();
  }

  get waiting(): number {
    return this.slots.waiting;
  }

  /** In progress and waiting, of each owner. */
  get ofOwners(): Readonly<Record<string, readonly [number, number]>> {
    return Object.fromEntries([...this.slots.ofOwners()].map((one) => [one.key, [one.inProgress, one.waiting]]));
  }

  async ask(owner: string): Promise<void> {
    const slot = await this.slots.take(owner);
    this.begun.push(owner);
    this.running.push({ owner, slot });
  }

  /** Ends the request that began as the nth of those in progress. */
  async end(n = 0): Promise<void> {
    const [ended] = this.running.splice(n % this.running.length, 1);
    ended?.slot.free();
    ended?.slot.free();
    await settled();
  }

  of(owner: string): number {
    return this.running.filter((one) => one.owner === owner).length;
  }
}

describe('slots of requests', () => {
  it('are as many for one owner as the limit says, and the others wait in their order', async () => {
    const traffic = new Traffic({});
    for (const owner of ['noisy', 'noisy', 'noisy', 'quiet']) void traffic.ask(owner);
    await settled();
    expect(traffic.begun).toEqual(['noisy', 'noisy', 'quiet']);
    expect(traffic.ofOwners).toEqual({ noisy: [2, 1], quiet: [1, 0] });
    expect([traffic.slots.inProgress, traffic.waiting]).toEqual([3, 1]);
    await traffic.end();
    expect(traffic.begun).toEqual(['noisy', 'noisy', 'quiet', 'noisy']);
    expect(traffic.waiting).toBe(0);
  });

  it('are given to owners in turn when all are taken', async () => {
    const traffic = new Traffic({ ofOne: 2, inAll: 2 });
    for (const owner of ['a', 'a', 'a', 'a', 'b', 'b', 'c']) void traffic.ask(owner);
    await settled();
    while (traffic.waiting > 0) await traffic.end();
    expect(traffic.begun.join('')).toBe('aabcaba');
  });

  it('are all for an owner who is alone, until there is another one, who has the next', async () => {
    const traffic = new Traffic({ aloneMs: -1 });
    for (const owner of ['noisy', 'noisy', 'noisy', 'noisy', 'quiet']) void traffic.ask(owner);
    await settled();
    expect(traffic.begun).toEqual(['noisy', 'noisy', 'noisy']);
    await traffic.end();
    await traffic.end();
    expect(traffic.begun.slice(3).sort()).toEqual(['noisy', 'quiet']);
  });

  it('lapse while others wait for them', async () => {
    const traffic = new Traffic({ ofOne: 1, lapseMs: 1 });
    await traffic.ask('slow');
    await traffic.ask('slow');
    expect(traffic.begun).toEqual(['slow', 'slow']);
    await traffic.end();
    await traffic.end();
    await traffic.ask('slow');
    await traffic.ask('slow');
    expect(traffic.begun).toHaveLength(4);
  });

  it('are never unused while somebody with room waits, and nobody is passed by twice by another owner', async () => {
    const owners = ['a', 'b', 'c', 'd', 'e'];
    const acts = fc.array(fc.option(fc.constantFrom('a', 'a', 'a', ...owners)), { maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(acts, fc.integer({ min: 1, max: 3 }), fc.nat(), async (all, ofOne, seed) => {
        const limits = { ofOne, inAll: ofOne * 2 };
        const traffic = new Traffic(limits);
        const model = new Map<string, { waiting: number; passed: Map<string, number> }>();
        for (const owner of owners) model.set(owner, { waiting: 0, passed: new Map() });
        for (const [n, owner] of all.entries()) {
          const before = traffic.begun.length;
          if (owner !== null) {
            void traffic.ask(owner);
            await settled();
          } else if (traffic.running.length > 0) await traffic.end(seed + n);
          noteBegun(traffic, model, owner, before, ofOne);
          expect(traffic.running.length).toBeLessThanOrEqual(limits.inAll);
          for (const one of owners) expect(traffic.of(one)).toBeLessThanOrEqual(ofOne);
          const isFull = traffic.running.length === limits.inAll;
          for (const one of owners)
            if ((model.get(one)?.waiting ?? 0) > 0) expect(isFull || traffic.of(one) === ofOne).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });
});

type Model = Map<string, { waiting: number; passed: Map<string, number> }>;

/** Follows who waits, and how often others began since an owner waits with room. */
function noteBegun(traffic: Traffic, model: Model, asked: string | null, before: number, ofOne: number): void {
  const own = asked === null ? undefined : model.get(asked);
  if (own) own.waiting += 1;
  for (const owner of traffic.begun.slice(before)) {
    const state = model.get(owner);
    if (!state) continue;
    state.waiting -= 1;
    state.passed.clear();
    for (const [other, { waiting, passed }] of model) {
      if (other === owner || waiting === 0 || traffic.of(other) === ofOne) continue;
      passed.set(owner, (passed.get(owner) ?? 0) + 1);
      expect(passed.get(owner)).toBeLessThanOrEqual(1);
    }
  }
  for (const [owner, { passed }] of model) if (traffic.of(owner) === ofOne) passed.clear();
}
