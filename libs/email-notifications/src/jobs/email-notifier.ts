import type { Kernel, Queues } from '@annals/kernel';
import { RealmSweep, RealmUpkeep, isOutage } from '@annals/kernel';
import type { Instant, RealmId, UserId } from '@annals/kernel/domain';
import { DAY_MS, HOUR_MS } from '@annals/kernel/domain';
import type { DueMails } from './due-mails';
import type { LeasedEmailTask } from './email-task-rows';
import { completeEmailTask, leaseEmailTasks, postponeEmailTask } from './email-task-rows';
import { EMAIL_QUEUE } from './email-tasks';
import { deleteOldMissed, postponeMissed, DUE_REALMS, readDueUsers } from './missed-message-rows';
import type { RecipientWalk } from './recipient-walk';
import { TaskDeferred, emailLeaseExpiry } from './recipient-walk';

/** Interval in ms at which due tasks are read. */
const SWEEP_MS = 1_000;
/** Tasks of an organization that one process works on at a time. One with many recipients leaves room for the others. */
const AT_ONCE = 4;
/** Due messages that are looked at together. */
const PAGE = 500;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 600_000;
/** Attempts of a task that fails by an error of this server. */
const MAX_ATTEMPTS = 10;
/** How long the mails of a user wait after an error of this server, in ms. */
const FAILED_MS = 600_000;
const CLEANUP_MS = HOUR_MS;
/** As long as no second mail is about a message. */
const RETENTION_MS = 30 * DAY_MS;
const WARNING = 'mails about missed messages could not be looked for; trying again in a second';
const NOT_FORGOTTEN = 'old missed messages could not be forgotten; trying again in an hour';

/**
 * Finds who missed messages, and puts what is due into mails: on a job, at its start and every second. Each organization has a pass of
 * its own. Several workers may do so at once.
 */
export class EmailNotifier extends RealmSweep {
  protected override readonly upkeep: RealmUpkeep;

  protected override readonly search = DUE_REALMS;

  constructor(
    private readonly kernel: Kernel,
    private readonly recipients: Pick<RecipientWalk, 'walk'>,
    private readonly due: Pick<DueMails, 'handle'>,
  ) {
    super(SWEEP_MS, kernel, WARNING);
    const { database, clock } = kernel;
    const before = () => (clock.now() - RETENTION_MS) as Instant;
    const cleanUp = (realmId: RealmId) => deleteOldMissed(database.pool, realmId, before());
    this.upkeep = new RealmUpkeep(CLEANUP_MS, kernel, NOT_FORGOTTEN, cleanUp);
  }

  protected override workOn(queues: Queues): void {
    queues.work(EMAIL_QUEUE, async ({ data }) => this.launch(data['key'] as RealmId));
  }

  protected override async pass(realmId: RealmId): Promise<void> {
    const next = async (): Promise<boolean> => {
      const walked = await this.walkSome(realmId);
      const mailed = await this.mailSome(realmId);
      return walked || mailed;
    };
    await this.eachPage(next);
  }

  /** @returns false if no task was due */
  private async walkSome(realmId: RealmId): Promise<boolean> {
    const { database, clock } = this.kernel;
    const until = emailLeaseExpiry(this.kernel);
    const tasks = await leaseEmailTasks(database.pool, realmId, clock.now(), until, AT_ONCE);
    await Promise.all(tasks.map((task) => this.attempt(task)));
    return tasks.length > 0;
  }

  private async attempt(task: LeasedEmailTask): Promise<void> {
    const { pool } = this.kernel.database;
    try {
      await this.recipients.walk(task);
      await completeEmailTask(pool, task);
    } catch (err) {
      await this.failed(task, err);
    }
  }

  private async failed(task: LeasedEmailTask, err: unknown): Promise<void> {
    const { database, clock, options } = this.kernel;
    const { realmId, position, attempts } = task;
    const mayWait = err instanceof TaskDeferred || isOutage(err);
    if (!mayWait) options.log.error({ err, realmId, position, attempts }, 'who missed a message could not be found');
    if (!mayWait && attempts + 1 >= MAX_ATTEMPTS) return completeEmailTask(database.pool, task);
    const wait = Math.min(FIRST_RETRY_MS * 2 ** attempts, LONGEST_RETRY_MS);
    await postponeEmailTask(database.pool, task, (clock.now() + wait) as Instant);
  }

  /** @returns false if nothing was due */
  private async mailSome(realmId: RealmId): Promise<boolean> {
    const users = await readDueUsers(this.kernel.database.pool, realmId, this.kernel.clock.now(), PAGE);
    if (users.length === 0) return false;
    try {
      await this.due.handle(realmId, users);
    } catch (err) {
      if (isOutage(err)) throw err;
      for (const userId of users) await this.mailOne(realmId, userId);
    }
    return true;
  }

  /** An error with the mails of one user must not delay those of all others. */
  private async mailOne(realmId: RealmId, userId: UserId): Promise<void> {
    const { database, clock, options } = this.kernel;
    try {
      await this.due.handle(realmId, [userId]);
    } catch (err) {
      if (isOutage(err)) throw err;
      options.log.error({ err, realmId, userId }, 'mails about missed messages could not be made');
      await postponeMissed(database.pool, realmId, [[userId, (clock.now() + FAILED_MS) as Instant]]);
    }
  }
}
