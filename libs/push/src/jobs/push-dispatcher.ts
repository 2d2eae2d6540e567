import type { Kernel } from '@annals/kernel';
import { Repeated, Rounds } from '@annals/kernel';
import type { Instant, RealmId } from '@annals/kernel/domain';
import { BouncerTrouble } from '../application/bouncer';
import type { Registrations } from '../application/registrations';
import type { Errand, Taken } from './push-outbox-rows';
import { dueRealms, endErrand, forgetOld, giveUp, postpone, takeErrands } from './push-outbox-rows';
import { QUEUE } from './push-outbox';
import type { Notifications } from './notifications';
import { NotYet, Overtaken, takenUntil } from './lease';

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
  private readonly looks = new Rounds<'everywhere'>(() => this.lookEverywhere());
  private readonly rounds = new Rounds<RealmId>((realmId) => this.round(realmId));
  private readonly sweeps = new Repeated(SWEEP_MS, () => this.sweep());
  private readonly tidying = new Repeated(TIDY_MS, () => this.tidy());
  private stopping = false;

  constructor(
    private readonly kernel: Kernel,
    private readonly registrations: Registrations,
    private readonly notifications: Notifications,
  ) {}

  async start(): Promise<void> {
    const queues = await this.kernel.queues();
    queues.work(QUEUE, ({ data }) => this.carryOut(data['key'] as RealmId));
    this.tidying.start();
    this.sweeps.start();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.sweeps.stop();
    await this.tidying.stop();
    await this.looks.stop();
    await this.rounds.stop();
  }

  /** Carries out whatever is due anywhere; who asks while a look is under way gets another one. */
  sweep(): Promise<void> {
    return this.looks.run('everywhere');
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
    return this.rounds.run(realmId);
  }

  private async round(realmId: RealmId): Promise<void> {
    const { database, clock } = this.kernel;
    while (!this.stopping) {
      const errands = await takeErrands(database.pool, realmId, clock.now(), takenUntil(this.kernel), AT_ONCE);
      if (errands.length === 0) return;
      await Promise.all(errands.map((errand) => this.attempt(errand)));
    }
  }

  private async attempt(errand: Taken): Promise<void> {
    const { pool } = this.kernel.database;
    try {
      await this.run(errand);
      await endErrand(pool, errand);
    } catch (err) {
      if (!(err instanceof Overtaken)) await this.failed(errand, err);
    }
  }

  private run(errand: Taken): Promise<void> {
    switch (errand.kind) {
      case 'registration':
        return this.registrations.carryOut(errand.realmId, errand.position);
      case 'message':
        return this.notifications.tell(errand);
      case 'edit':
        return this.notifications.tellOfEdit(errand);
      case 'removal':
        return this.notifications.takeBack(errand);
    }
  }

  private async failed(errand: Taken, err: unknown): Promise<void> {
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
