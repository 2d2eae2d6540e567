import { setTimeout as pause } from 'node:timers/promises';
import type { FaultMaker } from './fault-maker';
import { Client } from './client';
import { Listener } from './listener';
import { Reader } from './reader';
import type { System } from './system';
import { OWNER } from './system';
import { Planner, Writer } from './writer';

const WRITERS = 4;
const PEOPLE = 6;
/** Queues that are registered in between and listen at the same time. */
const NEWCOMERS = 4;
/** Pauses between the acts of a writer, of the planner and of the reader, in ms. */
const WRITING_EVERY_MS = 40;
const PLANNING_EVERY_MS = 700;
const READING_EVERY_MS = 100;
/** How long to wait for the last delivery, in ms. */
const PATIENCE_MS = 60_000;
const LOOK_MS = 100;

/** How long faults are made, how many at most, and how long from one to the next. */
export interface Course {
  readonly seconds: number;
  readonly faults: number;
  readonly everyMs: number;
}

/** People who write, listen, read and schedule messages on a server while faults happen to it. */
export class Soak {
  readonly writers: Writer[] = [];
  readonly listeners: Listener[] = [];
  /** Those of them that ended before the others. */
  readonly left = new Set<Listener>();
  planner: Planner;
  reader: Reader;
  private readonly people: Client[] = [];
  private channel = 0;
  private readonly newcomers: Listener[] = [];
  private readonly acting: Promise<void>[] = [];
  private readonly over = new AbortController();

  private constructor(
    private readonly system: System,
    private readonly say: (line: string) => void,
  ) {}

  /** Makes accounts and a channel, and lets everybody begin. @throws Error when the server refuses any of it */
  static async start(system: System, say: (line: string) => void): Promise<Soak> {
    const soak = new Soak(system, say);
    await soak.begin();
    return soak;
  }

  /** The queues that were there from the beginning. */
  get permanent(): readonly Listener[] {
    return this.listeners.slice(0, PEOPLE);
  }

  /** Makes faults until there were enough of them, the time is over or the signal aborts, and registers a queue after each. */
  async go(faults: FaultMaker, { seconds, faults: most, everyMs }: Course, signal: AbortSignal): Promise<void> {
    const until = performance.now() + seconds * 1_000;
    while (!signal.aborted && faults.made.length < most) {
      const next = performance.now() + everyMs;
      if (next > until) break;
      await pause(everyMs - 1_000, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await faults.next();
      await this.newcomer(faults.made.length);
    }
    const rest = faults.made.length < most ? until - performance.now() : everyMs;
    await pause(Math.max(0, rest), undefined, { signal }).catch(() => undefined);
  }

  /** Lets people stop writing and waits until everything that is planned has its time behind it. */
  async finish(): Promise<void> {
    this.over.abort();
    await Promise.all(this.acting);
    const lastDue = Math.max(0, ...this.planner.due.values());
    await pause(Math.max(0, lastDue - performance.now()) + 1_000);
  }

  /** Resolves when all queues have been handed this position, or when none of them will be any more. */
  async delivered(position: number): Promise<void> {
    const giveUp = performance.now() + PATIENCE_MS;
    const waiting = () => this.listeners.some((one) => !this.left.has(one) && one.reached < position);
    while (waiting() && performance.now() < giveUp) await pause(LOOK_MS);
  }

  /** Ends all requests. */
  async stop(): Promise<void> {
    this.over.abort();
    await Promise.all(this.listeners.map((listener) => listener.stop()));
  }

  private async begin(): Promise<void> {
    const owner = new Client(this.system.addresses, OWNER.email, OWNER.key);
    const ids: unknown[] = [];
    for (let n = 1; n <= PEOPLE; n++) {
      const account = { email: `person${n}@example.com`, password: `the secret of person ${n}` };
      ids.push((await owner.must('POST', '/users', { ...account, full_name: `Person ${n}` }))['user_id']);
      const login = { username: account.email, password: account.password };
      const { api_key: key } = await owner.must('POST', '/fetch_api_key', login);
      this.people.push(new Client(this.system.addresses, account.email, String(key), n));
    }
    const channel = await owner.must('POST', '/channels/create', { name: 'soak', subscribers: JSON.stringify(ids) });
    this.channel = Number(channel['id']);
    for (const [n, client] of this.people.entries()) {
      this.listeners.push(await Listener.start(`queue ${n + 1}`, client));
    }
    this.people.slice(0, WRITERS).forEach((client, n) => this.writers.push(new Writer(client, `writer ${n + 1}`)));
    this.planner = new Planner(this.person(WRITERS), 'planner');
    this.reader = new Reader(this.person(WRITERS + 1));
    for (const writer of this.writers) this.acting.push(writer.run(this.channel, WRITING_EVERY_MS, this.over.signal));
    this.acting.push(this.planner.run(this.channel, PLANNING_EVERY_MS, this.over.signal));
    this.acting.push(this.reader.run(READING_EVERY_MS, this.over.signal));
  }

  /** Registers another queue; the oldest of those ends when there are many. */
  private async newcomer(n: number): Promise<void> {
    const name = `queue after fault ${n}`;
    const newcomer = await Listener.start(name, this.person(PEOPLE - 1)).catch((error: unknown) => {
      this.say(`  ${name} was not registered: ${String(error)}`);
      return null;
    });
    if (!newcomer) return;
    this.listeners.push(newcomer);
    this.newcomers.push(newcomer);
    if (this.newcomers.length <= NEWCOMERS) return;
    const oldest = this.newcomers.shift();
    if (!oldest) return;
    this.left.add(oldest);
    await oldest.stop();
  }

  private person(n: number): Client {
    const client = this.people[n];
    if (!client) throw new Error(`there is no person ${n}`);
    return client;
  }
}
