import type { Kernel } from '@annals/kernel';
import type { Instant, RealmId } from '@annals/kernel/domain';
import { BouncerTrouble } from '../application/bouncer';
import type { Registrations } from '../application/registrations';
import type { Errand } from './errand-rows';
import { dueRealms, endErrand, forgetOld, giveUp, postpone, takeErrands } from './errand-rows';
import { QUEUE } from './errands';
import type { Notifications } from './notifications';
import { NotYet, takenUntil } from './taking';

/** A look at what is due; jobs come earlier, but may be lost. */
const SWEEP_MS = 1_000;
/** Errands of an organization that one process works on at a time: the push service may be slow. */
const AT_ONCE = 8;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 600_000;
/** A message is no news any more when it could not be told for so long. */
export const NEWS_MS = 6 * 3_600_000;
/** Tries of an errand that fails for a mistake of ours. */
const TRIES = 10;
const TIDY_MS = 3_600_000;
const REMEMBERED_MS = 30 * 24 * 3_600_000;

/** Carries errands to the push service out: on a job, on start and every second. Several workers may do so at once. */
export class Messenger {
  private timers: NodeJS.Timeout[] = [];
  private stopping = false;
  private sweeping: Promise<void> | null = null;
  private tidying: Promise<void> = Promise.resolve();
  private readonly rounds = new Map<RealmId, { done: Promise<void>; again: boolean }>();

  constructor(
    private readonly kernel: Kernel,
    private readonly registrations: Registrations,
    private readonly notifications: Notifications,
  ) {}

  async start(): Promise<void> {
    const queues = await this.kernel.queues();
    queues.work(QUEUE, ({ data }) => this.carryOut(data['key'] as RealmId));
    const tidyNow = (): void => void (this.tidying = this.tidy());
    this.timers = [setInterval(() => void this.sweep(), SWEEP_MS), setInterval(tidyNow, TIDY_MS)];
    tidyNow();
    void this.sweep();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    for (const timer of this.timers) clearInterval(timer);
    await this.sweeping;
    await this.tidying;
    await Promise.all([...this.rounds.values()].map(({ done }) => done));
  }

  /** Carries out whatever is due anywhere; a look that is under way is enough. */
  sweep(): Promise<void> {
    this.sweeping ??= this.lookEverywhere().finally(() => (this.sweeping = null));
    return this.sweeping;
  }

  private async lookEverywhere(): Promise<void> {
    const { database, clock, options } = this.kernel;
    try {
      const realms = await dueRealms(database.pool, clock.now());
      await Promise.all(realms.map((realmId) => this.carryOut(realmId)));
    } catch (err) {
      options.log.warn({ err }, 'errands to the push service could not be looked for; trying again in a second');
    }
  }

  /** Carries out what is due in an organization; who asks meanwhile gets another round. */
  carryOut(realmId: RealmId): Promise<void> {
    const round = this.rounds.get(realmId);
    if (round) {
      round.again = true;
      return round.done;
    }
    const started = { done: Promise.resolve(), again: false };
    this.rounds.set(realmId, started);
    started.done = this.untilQuiet(realmId, started).finally(() => this.rounds.delete(realmId));
    return started.done;
  }

  private async untilQuiet(realmId: RealmId, round: { again: boolean }): Promise<void> {
    const { database, clock } = this.kernel;
    for (;;) {
      round.again = false;
      const errands = this.stopping
        ? []
        : await takeErrands(database.pool, realmId, clock.now(), takenUntil(this.kernel), AT_ONCE);
      await Promise.all(errands.map((errand) => this.attempt(errand)));
      if (this.stopping || (errands.length === 0 && !round.again)) return;
    }
  }

  private async attempt(errand: Errand): Promise<void> {
    const { pool } = this.kernel.database;
    try {
      await this.run(errand);
      await endErrand(pool, errand);
    } catch (err) {
      await this.failed(errand, err);
    }
  }

  private run({ realmId, position, ...errand }: Errand): Promise<void> {
    switch (errand.kind) {
      case 'registration':
        return this.registrations.carryOut(realmId, position);
      case 'message':
        return this.notifications.tell({ realmId, position, ...errand });
      case 'removal':
        return this.notifications.takeBack({ realmId, position, ...errand });
    }
  }

  private async failed(errand: Errand, err: unknown): Promise<void> {
    const { database, clock, options } = this.kernel;
    const reason = this.whyNever(errand, err);
    const { realmId, position, kind, attempts } = errand;
    const level = reason === null ? 'warn' : 'error';
    if (!(err instanceof NotYet)) {
      options.log[level](
        { err, realmId, position, kind, attempts: attempts + 1, reason },
        'an errand to the push service failed',
      );
    }
    if (reason !== null) return giveUp(database.pool, errand, reason);
    const wait = Math.min(FIRST_RETRY_MS * 2 ** attempts, LONGEST_RETRY_MS);
    await postpone(database.pool, errand, (clock.now() + wait) as Instant);
  }

  /** Null while it is worth another attempt. A registration says by itself when it is too old. */
  private whyNever(errand: Errand, err: unknown): string | null {
    const age = this.kernel.clock.now() - errand.at;
    if (err instanceof NotYet) return null;
    if (!(err instanceof BouncerTrouble)) return errand.attempts + 1 >= TRIES ? 'internal' : null;
    if (!err.mayPass) return err.code;
    return errand.kind !== 'registration' && age >= NEWS_MS ? `too old (${err.trouble})` : null;
  }

  private async tidy(): Promise<void> {
    const { database, clock, events, options } = this.kernel;
    const before = (clock.now() - REMEMBERED_MS) as Instant;
    try {
      for (const realmId of (await events.heads()).keys()) await forgetOld(database.pool, realmId, before);
    } catch (err) {
      options.log.warn({ err }, 'old notifications could not be forgotten; trying again in an hour');
    }
  }
}
