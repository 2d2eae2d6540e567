import type { Kernel, Queues } from '@annals/kernel';
import { RealmSweep, RealmUpkeep } from '@annals/kernel';
import type { Instant, RealmId } from '@annals/kernel/domain';
import { DAY_MS, HOUR_MS } from '@annals/kernel/domain';
import { BouncerFailure } from '../application/bouncer';
import type { Registrations } from '../application/registrations';
import type { PushTask, LeasedTask } from './push-outbox-rows';
import { DUE_REALMS, completeTask, deleteOld, moveToDeadLetters, postpone, leaseTasks } from './push-outbox-rows';
import { PUSH_QUEUE } from './push-outbox';
import type { Notifications } from './notifications';
import { RetryLater, LeaseLost, leaseExpiry } from './lease';
import type { Withdrawals } from './withdrawals';

/** Interval in ms at which due tasks are read. */
const SWEEP_MS = 1_000;
/** Tasks of an organization that one process works on at a time: the push service may be slow. */
const AT_ONCE = 8;
/** Organizations for which it does so. */
const REALMS_AT_ONCE = 16;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 600_000;
/** Age in ms at which a message that could not be sent is no longer notified. */
export const MAX_NOTIFICATION_AGE_MS = 6 * HOUR_MS;
/** Attempts of a task that fails by an error of this server. */
const MAX_ATTEMPTS = 10;
const CLEANUP_MS = HOUR_MS;
const RETENTION_MS = 30 * DAY_MS;
const WARNING = 'tasks to the push service could not be looked for; trying again in a second';
const NOT_FORGOTTEN = 'old notifications could not be forgotten; trying again in an hour';

/** Dispatches tasks to the push service: on a job, at its start and every second. Several workers may do so at once. */
export class PushDispatcher extends RealmSweep {
  protected override readonly upkeep: RealmUpkeep;

  protected override readonly search = DUE_REALMS;

  constructor(
    private readonly kernel: Kernel,
    private readonly registrations: Registrations,
    private readonly notifications: Notifications,
    private readonly withdrawals: Withdrawals,
  ) {
    super(SWEEP_MS, kernel, WARNING, REALMS_AT_ONCE);
    const { database, clock } = kernel;
    const before = () => (clock.now() - RETENTION_MS) as Instant;
    const cleanUp = (realmId: RealmId) => deleteOld(database.pool, realmId, before());
    this.upkeep = new RealmUpkeep(CLEANUP_MS, kernel, NOT_FORGOTTEN, cleanUp);
  }

  protected override workOn(queues: Queues): void {
    queues.work(PUSH_QUEUE, async ({ data }) => this.launch(data['key'] as RealmId));
  }

  protected override async pass(realmId: RealmId): Promise<void> {
    const { database, clock } = this.kernel;
    const next = async (): Promise<boolean> => {
      const tasks = await leaseTasks(database.pool, realmId, clock.now(), leaseExpiry(this.kernel), AT_ONCE);
      await Promise.all(tasks.map((task) => this.attempt(task)));
      return tasks.length > 0;
    };
    await this.eachPage(next);
  }

  private async attempt(task: LeasedTask): Promise<void> {
    const { pool } = this.kernel.database;
    try {
      await this.run(task);
      await completeTask(pool, task);
    } catch (err) {
      if (!(err instanceof LeaseLost)) await this.failed(task, err);
    }
  }

  private run(task: LeasedTask): Promise<void> {
    switch (task.kind) {
      case 'registration':
        return this.registrations.apply(task.realmId, task.position);
      case 'message':
        return this.notifications.notifyOfMessage(task);
      case 'edit':
        return this.notifications.notifyOfEdit(task);
      case 'removal':
        return this.withdrawals.removeDeleted(task);
      case 'read':
        return this.withdrawals.removeRead(task);
    }
  }

  private async failed(task: LeasedTask, err: unknown): Promise<void> {
    const { database, clock, options } = this.kernel;
    const reason = this.finalReason(task, err);
    const { realmId, position, kind, attempts } = task;
    const level = reason === null ? 'warn' : 'error';
    if (!(err instanceof RetryLater)) {
      options.log[level](
        { err, realmId, position, kind, attempts: attempts + 1, reason },
        'a task for the push service failed',
      );
    }
    if (reason !== null) return moveToDeadLetters(database.pool, task, reason);
    const wait = Math.min(FIRST_RETRY_MS * 2 ** attempts, LONGEST_RETRY_MS);
    await postpone(database.pool, task, (clock.now() + wait) as Instant);
  }

  /** Null while another attempt is useful. A registration decides by itself when it is too old. */
  private finalReason(task: PushTask, err: unknown): string | null {
    const age = this.kernel.clock.now() - task.at;
    if (err instanceof RetryLater) return null;
    if (!(err instanceof BouncerFailure)) return task.attempts + 1 >= MAX_ATTEMPTS ? 'internal' : null;
    if (!err.isTransient) return err.code;
    return task.kind !== 'registration' && age >= MAX_NOTIFICATION_AGE_MS ? `too old (${err.trouble})` : null;
  }
}
