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

/** How long a command is decided anew before its caller is told to come back, in ms. */
const PATIENCE_MS = 5_000;
const MAX_PAUSE_MS = 40;

/**
 * Runs a command: gather facts, decide, append atomically. What was decided on facts that moved on is decided anew, so
 * everything inside `run` must be safe to run twice.
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
   * @param decide must ask `work.by` for the actor: on a second try it is newer than the one the command came with
   * @returns what `decide` returned, after its events are stored
   * @throws Rejected the refusal of a decision
   * @throws Overloaded when others kept changing the same things for five seconds, or too much is waiting
   */
  async run<T>(by: By, decide: (work: Work) => Promise<T>, options: RunOptions = {}): Promise<T> {
    const started = performance.now();
    const commandId = randomUUID();
    let contended: string | undefined;
    let actor = by;
    // A request has passed the fence before it had an actor; the system comes from nowhere.
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
          // Once may be bad luck; who meets the others again waits for its turn among them.
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
    if (append) work.stored(await this.lanes.append(append));
    return result;
  }
}
