import type { Kernel } from '@annals/kernel';
import { PeriodicSweep } from '@annals/kernel';
import type { Instant, RealmId } from '@annals/kernel/domain';
import { DAY_MS } from '@annals/kernel/domain';
import { addMailTasks } from '@annals/mail';
import { settingOf } from '@annals/realm';
import { weekDayOf } from '../domain/digest-week';
import { advanceDigestRun, beginDigests, lockDigestRun, readAway, readDigestRealms } from './digest-rows';

/** The kind of digests. Their key names the user and the week. */
export const DIGEST = 'digest';
/** Days without any use of the account after which a user gets digests. */
export const AWAY_DAYS = 5;
const SWEEP_MS = 60_000;
/** Users whose digests are put into the outbox together. */
const PAGE = 500;

/**
 * Begins the digests of each organization on its day of the week, every minute, and puts them into the outbox. A worker that dies is
 * followed by another one, which begins after the last page: nobody gets two digests in one week.
 */
export class DigestSweep extends PeriodicSweep {
  private isStopping = false;

  constructor(private readonly kernel: Kernel) {
    super(SWEEP_MS, kernel, 'digests could not be begun; trying again in a minute');
  }

  override stop(): Promise<void> {
    this.isStopping = true;
    return super.stop();
  }

  override async sweep(): Promise<void> {
    const { database, clock } = this.kernel;
    const { initial } = settingOf('digest_weekday') as { readonly initial: number };
    const { week, weekday: today } = weekDayOf(clock.now());
    for (const { realmId, weekday } of await readDigestRealms(database.pool, initial)) {
      const make = async () => {
        if (weekday === today) await beginDigests(database.pool, realmId, week, clock.now());
        while (!this.isStopping && (await this.page(realmId, week)));
      };
      await this.isolated({ realm: realmId }, make, 'digests could not be made; trying again in a minute');
    }
  }

  /** @returns whether there may be more */
  private page(realmId: RealmId, week: number): Promise<boolean> {
    const { database, clock } = this.kernel;
    return database.transaction('BEGIN', async (client) => {
      const run = await lockDigestRun(client, realmId, week);
      if (!run) return false;
      const since = (run.at - AWAY_DAYS * DAY_MS) as Instant;
      const users = await readAway(client, realmId, since, run.afterUser, PAGE);
      const tasks = users.map((userId) => ({ kind: DIGEST, key: `${userId}-${week}` }));
      await addMailTasks(client, realmId, tasks, clock.now());
      const last = users.length < PAGE ? null : (users.at(-1) ?? null);
      await advanceDigestRun(client, realmId, week, last);
      return last !== null;
    });
  }
}
