import { randomUUID } from 'node:crypto';
import type { Queues } from '@annals/kernel';
import { QueuedSweep } from '@annals/kernel';
import type { Instant, RealmId } from '@annals/kernel/domain';
import { PUSH_QUEUE } from './push-wake-ups';
import { dueReport } from '../../domain/webhook/webhook';
import { releasePushes } from './batch-rows';
import { ConsumerPush } from './consumer-push';
import type { PushParts } from './consumer-push';
import type { UnreportedFailure } from './push-candidates';
import { markReported, readPushCandidates, readUnreported, REALMS_WITH_PUSH } from './push-candidates';
import { PushMemory } from './push-memory';

const SWEEP_MS = 1_000;
/** How long a consumer is left alone after an error of this server, in milliseconds. */
const ERROR_MS = 5_000;
const WARNING = 'events for webhooks and sinks could not be looked for; trying again in a second';
const NOT_REPORTED = 'the owner of a webhook could not be told that it fails';

/** A consumer whose events this process sends now. */
interface Running {
  /** Something has happened since it began to look. */
  again: boolean;
  done: Promise<void>;
}

/**
 * Sends events to the webhooks and sinks of consumers: at once when a log grows, on a job, at its start and every second. Several
 * workers may do so at once. A consumer gets its events one request after the other, and no consumer waits for another one.
 */
export class PushWorker extends QueuedSweep {
  /** This process, in leases. */
  private readonly holder = randomUUID();
  private readonly running = new Map<string, Running>();
  private readonly memories = new Map<string, PushMemory>();
  /** Ends the wake-ups of an organization with webhooks or sinks. */
  private readonly realms = new Map<RealmId, () => void>();

  constructor(private readonly parts: PushParts) {
    super(SWEEP_MS, parts.kernel, WARNING);
  }

  /** Also waits for the requests that are under way. */
  override async stop(): Promise<void> {
    for (const leave of this.realms.values()) leave();
    this.realms.clear();
    await super.stop();
    await Promise.all([...this.running.values()].map(({ done }) => done));
    await this.parts.sinks.close();
    await releasePushes(this.parts.kernel.database.pool, this.holder);
  }

  /** Resolves when nothing is due and nothing is under way. */
  async idle(): Promise<void> {
    for (;;) {
      await this.sweep();
      if (this.running.size === 0) return;
      await Promise.all([...this.running.values()].map(({ done }) => done));
    }
  }

  protected override workOn(queues: Queues): void {
    queues.work(PUSH_QUEUE, () => this.sweep());
  }

  protected override async everywhere(): Promise<void> {
    const { database, clock, due } = this.parts.kernel;
    const realms = new Set(await due.find(REALMS_WITH_PUSH));
    await this.listen(realms);
    if (realms.size === 0) return this.parts.sinks.closeIdle();
    for (const { realmId, id, head } of await readPushCandidates(database.pool, this.holder, clock.now())) {
      if (this.isStopping) return;
      if (this.memoryOf(realmId, id).isWorthPass(head)) this.launch(realmId, id);
    }
    await this.report();
    await this.parts.sinks.closeIdle();
  }

  /** Growth of the logs of these organizations is received from now on. */
  private async listen(realms: ReadonlySet<RealmId>): Promise<void> {
    const { wakeUps } = this.parts.kernel;
    for (const [realmId, leave] of this.realms) {
      if (realms.has(realmId)) continue;
      leave();
      this.realms.delete(realmId);
    }
    for (const realmId of realms) {
      if (this.realms.has(realmId) || this.isStopping) continue;
      const grown = () => void this.isolated({ realm: realmId }, () => this.grown(realmId));
      const leave = wakeUps.subscribe('head', realmId, grown);
      this.realms.set(realmId, leave);
      await wakeUps.listening(realmId);
    }
  }

  private async grown(realmId: RealmId): Promise<void> {
    for (const { id, webhook, sink, isPaused } of await this.parts.consumers.all(realmId)) {
      if (!(webhook ?? sink) || isPaused || this.isStopping) continue;
      const running = this.running.get(keyOf(realmId, id));
      if (running) running.again = true;
      else if (this.memoryOf(realmId, id).isWorthGrowth()) this.launch(realmId, id);
    }
  }

  private launch(realmId: RealmId, id: number): void {
    const key = keyOf(realmId, id);
    const known = this.running.get(key);
    if (known) {
      known.again = true;
      return;
    }
    const running: Running = { again: true, done: Promise.resolve() };
    this.running.set(key, running);
    running.done = this.run(key, running, realmId, id);
  }

  /** Sends until there is nothing more. Never rejects. */
  private async run(key: string, running: Running, realmId: RealmId, id: number): Promise<void> {
    const { kernel } = this.parts;
    const memory = this.memoryOf(realmId, id);
    const push = new ConsumerPush(this.parts, this.holder, realmId, id, memory);
    try {
      while (running.again && !this.isStopping) {
        running.again = false;
        while (!this.isStopping && (await push.step()));
      }
    } catch (err) {
      memory.stoppedUntil = (kernel.clock.now() + ERROR_MS) as Instant;
      kernel.options.log.error({ err, realmId, consumer: id }, 'events of a consumer could not be sent');
    } finally {
      this.running.delete(key);
    }
  }

  private memoryOf(realmId: RealmId, id: number): PushMemory {
    const key = keyOf(realmId, id);
    const memory = this.memories.get(key) ?? new PushMemory(this.parts.kernel);
    this.memories.set(key, memory);
    return memory;
  }

  private async report(): Promise<void> {
    const { kernel } = this.parts;
    const now = kernel.clock.now();
    for (const failure of await readUnreported(kernel.database.pool, now)) {
      if (this.isStopping) return;
      const { realmId: realm, id: consumer } = failure;
      await this.isolated({ realm, consumer }, () => this.reportOne(failure, now), NOT_REPORTED);
    }
  }

  private async reportOne(failure: UnreportedFailure, now: Instant): Promise<void> {
    const { kernel, consumers, reports } = this.parts;
    const { realmId, id, since } = failure;
    await kernel.fence.reach(realmId);
    const consumer = await consumers.byId(realmId, id);
    const hours = dueReport(since, now);
    if (!consumer || hours === null) return;
    await reports.failing(consumer, { since, hours });
    await markReported(kernel.database.pool, failure, hours);
  }
}

const keyOf = (realmId: RealmId, id: number): string => `${realmId}:${id}`;
