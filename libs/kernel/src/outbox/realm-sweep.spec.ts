import { CallRecorder } from '../../../../test/support/events/call-recorder';
import type { RealmId } from '../domain/index';
import type { Kernel } from '../kernel';
import type { JobHandler } from '../queues/job';
import type { Queues } from '../queues/queues';
import { RealmSweep } from './realm-sweep';

const NEVER_MS = 3_600_000;
const [one, two, three] = [1 as RealmId, 2 as RealmId, 3 as RealmId];

/** Works off pages that are only counted. */
class Toy extends RealmSweep {
  readonly due = new Map<RealmId, number>();
  readonly pages = new CallRecorder<[RealmId]>();
  readonly warnings: unknown[] = [];
  protected override readonly search = { name: 'toys', sql: '' };
  handler: JobHandler | undefined;

  constructor(atOnce: number) {
    const warnings: unknown[] = [];
    const work = (_: string, handler: JobHandler) => (this.handler = handler);
    const queues = () => Promise.resolve({ work } as unknown as Queues);
    const options = { log: { warn: (what: unknown) => warnings.push(what) } } as unknown as Kernel['options'];
    const found = () => [...this.due].flatMap(([realmId, left]) => (left > 0 ? [realmId] : []));
    const due = { find: () => Promise.resolve(found()) } as unknown as Kernel['due'];
    super(NEVER_MS, { options, queues, due }, 'could not sweep', atOnce);
    this.warnings = warnings;
  }

  /** What its timer does. */
  look(): Promise<void> {
    return this.regular();
  }

  protected override workOn(queues: Queues): void {
    queues.work('toys', async ({ data }) => this.launch(data['key'] as RealmId));
  }

  protected override async pass(realmId: RealmId): Promise<void> {
    const next = async () => {
      const left = this.due.get(realmId) ?? 0;
      if (Number.isNaN(left)) throw new Error('broken');
      if (left > 0) this.pages.listener(realmId);
      this.due.set(realmId, left - 1);
      await new Promise((resolve) => setImmediate(resolve));
      return left > 1;
    };
    await this.eachPage(next);
  }
}

const pagesOf = (toy: Toy, realmId: RealmId) => toy.pages.calls.filter(([page]) => page === realmId).length;

describe('a sweep of organizations', () => {
  it('is not held up by an organization whose work never ends, nor are its jobs', async () => {
    const toy = new Toy(1);
    await toy.begin();
    toy.due.set(one, Infinity);
    await toy.look();
    await toy.pages.atLeast(3);
    toy.due.set(two, 2);
    await toy.look();
    await toy.pages.atLeast(toy.pages.calls.length + 6);
    expect(pagesOf(toy, two)).toBe(2);
    toy.due.set(three, 1);
    await toy.handler?.({ id: '', data: { key: three }, attempt: 1 });
    await toy.pages.atLeast(toy.pages.calls.length + 4);
    expect(pagesOf(toy, three)).toBe(1);
    await toy.stop();
  });

  it('lets organizations take turns, page by page', async () => {
    const toy = new Toy(1);
    for (const [realmId, count] of [
      [one, 4],
      [two, 2],
      [three, 1],
    ] as const)
      toy.due.set(realmId, count);
    await toy.sweep();
    expect(toy.pages.calls.flat()).toEqual([one, two, three, one, two, one, one]);
    await toy.stop();
  });

  it('continues with the others when an organization fails, and tries again with the next sweep', async () => {
    const toy = new Toy(1);
    toy.due.set(one, NaN).set(two, 1);
    await Promise.all([toy.catchUp(one).catch(() => undefined), toy.sweep()]);
    expect(pagesOf(toy, two)).toBe(1);
    toy.due.set(one, 1);
    await toy.sweep();
    expect(pagesOf(toy, one)).toBe(1);
    await expect(toy.catchUp(two)).resolves.toBeUndefined();
    await toy.stop();
  });
});
