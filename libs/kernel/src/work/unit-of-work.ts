import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../domain/index';
import type { Append, Appended } from '../log/append/append';
import type { EventRegistry } from '../log/encoding/registry';
import type { AggregateStore } from '../facts/aggregate-store';
import type { Fence } from '../facts/fence';
import { Conflict, Overloaded } from '../log/errors';
import type { Actors, By, RunOptions } from './by';
import { KeyedMutex } from './keyed-mutex';
import { Work } from './work';

export interface Appender {
  append(append: Append): Promise<Appended>;
}

/** How long a command is decided again after conflicts, in ms. Then its caller is asked to try later. */
const PATIENCE_MS = 5_000;
const MAX_PAUSE_MS = 40;

/**
 * Runs a command: it reads facts, decides, and appends atomically. When a fact has changed meanwhile, the command is
 * decided again, so everything inside `run` must be safe to run twice.
 */
export class UnitOfWork {
  private readonly contended = new KeyedMutex();

  constructor(
    private readonly registry: EventRegistry,
    private readonly aggregates: AggregateStore,
    private readonly fence: Fence,
    private readonly lanes: Appender,
    private readonly clock: Clock,
    private readonly actors: Actors,
  ) {}

  /**
   * @param decide must use `work.by` for the actor: on a second try it is newer than the actor of the command
   * @returns the result of `decide`, after its events are stored
   * @throws Rejected the refusal of a decision
   * @throws Overloaded when others kept changing the same things for five seconds, or too much is waiting
   */
  async run<T>(by: By, decide: (work: Work) => Promise<T>, options: RunOptions = {}): Promise<T> {
    const started = performance.now();
    const commandId = randomUUID();
    let contended: string | undefined;
    let actor = by;
    // A request has passed the fence before its actor was read. A command of the system has not.
    if (by.userId === null) await this.fence.reach(by.realmId);
    for (let attempt = 1; ; attempt++) {
      try {
        const once = () => this.attempt(actor, commandId, decide, options);
        return contended === undefined ? await once() : await this.contended.run(contended, once);
      } catch (error) {
        if (!(error instanceof Conflict)) throw error;
        if (performance.now() - started > PATIENCE_MS) {
          throw new Overloaded('others are changing the same things; please try again');
        }
        if (error.stream !== undefined) {
          this.aggregates.forget(by.realmId, error.stream);
          // One conflict may be chance. After the second one the command waits for others on the same thing.
          if (attempt > 1) contended = `${by.realmId} ${error.stream}`;
        }
        if (attempt > 1) await delay(randomInt(Math.min(2 ** attempt, MAX_PAUSE_MS)));
        await this.fence.reach(by.realmId);
        if (actor.userId !== null) actor = await this.actors.refresh(actor);
      }
    }
  }

  private async attempt<T>(
    by: By,
    commandId: string,
    decide: (work: Work) => Promise<T>,
    options: RunOptions,
  ): Promise<T> {
    const work = new Work(by, this.clock.now(), this.registry, this.aggregates);
    const result = await decide(work);
    const append = work.finish(commandId, options);
    if (append && options.isDryRun !== true) work.stored(await this.lanes.append(append));
    return result;
  }
}
