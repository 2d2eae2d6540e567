import type { ConsumerEvent, ConsumerRow } from '@annals/consumers';
import {
  ConsumerFacts,
  ConsumerReader,
  ConsumerRights,
  LockedConsumers,
  PullPolls,
  SettleEvents,
  TakeEvents,
} from '@annals/consumers';
import type { Kernel } from '@annals/kernel';
import type { ManualClock, RealmId } from '@annals/kernel/domain';
import type { INestApplicationContext } from '@nestjs/common';
import fc from 'fast-check';
import type { ConsumerCaller } from './consumer-caller';

const WORKERS = ['one', 'two'] as const;
type Worker = (typeof WORKERS)[number];

/** Something that a worker, a process or the world does. */
export type DeliveryAct =
  | { readonly kind: 'send'; readonly topic: number }
  | { readonly kind: 'take'; readonly worker: Worker; readonly limit: number; readonly isLost: boolean }
  | { readonly kind: 'ack'; readonly worker: Worker; readonly count: number; readonly through: boolean }
  | {
      readonly kind: 'nack';
      readonly worker: Worker;
      readonly action: 'retry' | 'park' | 'skip';
      readonly after: number;
    }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'restart' };

const worker = fc.constantFrom(...WORKERS);

/** Acts in about the frequency in which they happen. */
export const deliveryActs: fc.Arbitrary<DeliveryAct> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('send' as const), topic: fc.nat(2) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('take' as const),
      worker,
      limit: fc.integer({ min: 1, max: 4 }),
      isLost: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('ack' as const),
      worker,
      count: fc.integer({ min: 1, max: 3 }),
      through: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('nack' as const),
      worker,
      action: fc.constantFrom('retry' as const, 'park' as const, 'skip' as const),
      after: fc.constantFrom(0, 40),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(10, 31, 100) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
);

const LEASE_MS = 30_000;

interface Parts {
  readonly kernel: Kernel;
  readonly clock: ManualClock;
  readonly app: INestApplicationContext;
  /** Sends a message to a topic. @returns its id */
  readonly send: (topic: string) => Promise<number>;
  readonly topics: readonly string[];
  readonly realm: RealmId;
  readonly caller: ConsumerCaller;
}

/** Two workers of one consumer, and what they have received. It notes whatever breaks a promise. */
export class DeliveryModel {
  readonly violations: string[] = [];
  private readonly sent: number[] = [];
  /** Keys of the events that were handed out, by position. */
  private readonly seen = new Map<number, string>();
  private readonly settled = new Set<number>();
  /** What each worker has, as it knows. */
  private readonly held: Record<Worker, ConsumerEvent[]> = { one: [], two: [] };
  /** Workers that did not get an answer: they acknowledge by ids. */
  private readonly hasLost = new Set<Worker>();
  private taking!: TakeEvents;
  private settling!: SettleEvents;

  private constructor(
    private readonly parts: Parts,
    private readonly consumer: ConsumerRow,
  ) {
    this.restart();
  }

  static async open(parts: Parts): Promise<DeliveryModel> {
    const all = await parts.app.get(ConsumerFacts, { strict: false }).all(parts.realm);
    const consumer = all.find(({ name }) => name === parts.caller.name);
    if (!consumer) throw new Error('the consumer does not exist');
    return new DeliveryModel(parts, consumer);
  }

  get name(): string {
    return this.consumer.name;
  }

  /** Messages that no worker has received. */
  unseen(): number[] {
    return this.sent.filter((id) => !this.seen.has(id));
  }

  async act(act: DeliveryAct): Promise<void> {
    switch (act.kind) {
      case 'send':
        this.sent.push(await this.parts.send(this.parts.topics[act.topic] ?? ''));
        return;
      case 'take':
        return this.take(act.worker, act.limit, act.isLost);
      case 'ack':
        return this.acknowledge(act.worker, act.count, act.through);
      case 'nack':
        return this.refuse(act.worker, act.action, act.after);
      case 'wait':
        this.parts.clock.advance(act.seconds * 1_000);
        return;
      case 'restart':
        this.restart();
    }
  }

  /** Works until nothing is left: leases run out, and what is parked is replayed. */
  async drain(): Promise<void> {
    for (let idle = 0; idle < 3;) {
      this.parts.clock.advance(100_000);
      await this.parts.caller.parkedAct('replay', { all: true });
      this.held.one = this.held.two = [];
      await this.take('one', 1_000, false);
      idle = this.held.one.length === 0 ? idle + 1 : 0;
      await this.acknowledge('one', Infinity, true);
    }
    const { lag, in_flight, parked } = await this.parts.caller.shown();
    const left = JSON.stringify({ lag, in_flight, parked });
    if (left !== '{"lag":{"events":0,"seconds":0},"in_flight":0,"parked":0}') this.violations.push(`left: ${left}`);
  }

  /** A process ends, and another one begins: it knows what is stored, and nothing else. */
  private restart(): void {
    const { kernel, app } = this.parts;
    const provided = <T>(token: new (...given: never[]) => T): T => app.get(token, { strict: false });
    const locked = new LockedConsumers(kernel);
    this.taking = new TakeEvents(kernel, provided(ConsumerReader), provided(ConsumerRights), locked);
    this.settling = new SettleEvents(kernel, locked, provided(PullPolls));
  }

  private async take(by: Worker, limit: number, isLost: boolean): Promise<void> {
    await this.parts.kernel.fence.reach(this.parts.realm);
    const { events } = await this.taking.take(this.consumer, { worker: by, limit, leaseMs: LEASE_MS });
    this.check(events);
    if (isLost) {
      this.hasLost.add(by);
      return;
    }
    for (const { position, key } of events) this.seen.set(position, key);
    this.held[by].push(...events);
  }

  /** Whatever is before an event in its key is settled, or comes with it. */
  private check(events: readonly ConsumerEvent[]): void {
    const here = new Set<number>();
    for (const { position, key } of events) {
      here.add(position);
      if (this.settled.has(position)) this.violations.push(`${position} was settled`);
      const earlier = [...this.seen].filter(([other, its]) => its === key && other < position);
      const open = earlier.find(([other]) => !this.settled.has(other) && !here.has(other));
      if (open) this.violations.push(`${position} is handed out while ${open[0]} is not settled`);
    }
  }

  private async acknowledge(by: Worker, count: number, wantsThrough: boolean): Promise<void> {
    // It would acknowledge the events of the answer that was lost, too (docs/api/feed.md).
    const through = wantsThrough && !this.hasLost.has(by);
    const events = this.held[by].slice(0, count);
    const last = events.at(-1);
    if (!last) return;
    const asked = through ? { through: last.id } : { ids: events.map(({ id }) => id) };
    const isDone = await this.tried(() => this.settling.acknowledge(this.consumer, by, asked));
    // `through` settles what is still leased to the worker, which may be less than it believes.
    const settled = through ? await this.gone(events) : isDone ? events : [];
    for (const { position } of settled) this.settled.add(position);
    this.held[by] = this.held[by].slice(events.length);
  }

  /** Those of these events that are not offered any more. */
  private async gone(events: readonly ConsumerEvent[]): Promise<ConsumerEvent[]> {
    const { rows } = await this.parts.kernel.database.pool.query<{ offset: number }>(
      'SELECT event_offset AS "offset" FROM consumer_offers WHERE consumer_id = $1',
      [this.consumer.id],
    );
    const offered = new Set(rows.map(({ offset }) => offset));
    return events.filter(({ offset }) => !offered.has(offset));
  }

  private async refuse(by: Worker, action: 'retry' | 'park' | 'skip', after: number): Promise<void> {
    const event = this.held[by].shift();
    if (!event) return;
    const nack = { id: event.id, action, afterMs: after * 1_000 };
    const isDone = await this.tried(() => this.settling.refuse(this.consumer, by, nack));
    if (isDone && action === 'skip') this.settled.add(event.position);
  }

  /** A worker may have lost its lease. Then nothing has changed. */
  private async tried(act: () => Promise<unknown>): Promise<boolean> {
    try {
      await act();
      return true;
    } catch (error) {
      if ((error as { code?: string }).code === 'NOT_LEASED') return false;
      throw error;
    }
  }
}
