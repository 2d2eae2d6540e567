import type { Kernel, Queues } from '@annals/kernel';
import { RealmSweep } from '@annals/kernel';
import type { Instant, RealmId } from '@annals/kernel/domain';
import { DAY_MS, HOUR_MS } from '@annals/kernel/domain';
import type { MailComposers } from '../application/mail-composers';
import type { MailSender } from '../application/mail-sender';
import type { MailFolder } from '../application/transport/mail-folder';
import type { MailTransport } from '../application/transport/mail-transport';
import { DueLater } from '../domain/mail-draft';
import { MailFailure } from '../domain/mail-failure';
import { MailCleanup } from './mail-cleanup';
import { MAIL_QUEUE } from './mail-outbox';
import type { MailTask } from './mail-tasks';
import { completeMailTask, leaseMailTask, parkMailTask, postponeMailTask, REALMS_WITH_DUE_MAIL } from './mail-tasks';

/** Interval in ms at which due mails are looked for. */
const SWEEP_MS = 1_000;
/** Mails that one process sends at a time, and those of one organization among them. */
const AT_ONCE = 8;
const OF_ONE_REALM = 4;
/** Longer than an attempt takes. A worker that dies delays its mails by this, in ms. */
const LEASE_MS = 60_000;
/** 15 s, 1, 4, 16 minutes, then each hour: servers that do not know a sender take its mail after some minutes. */
const FIRST_RETRY_MS = 15_000;
const LONGEST_RETRY_MS = HOUR_MS;
/** Age in ms at which a mail is set aside that no server takes. */
const MAX_AGE_MS = 3 * DAY_MS;
/** Attempts of a mail that cannot be written, because of an error of this server. */
const MAX_ATTEMPTS = 10;

/** A newer version knows how to write the mail. */
class UnknownKind extends Error {}

/** Sends mails that are due: on a job, at its start and every second. Several workers may do so at once. */
export class MailDispatcher extends RealmSweep {
  protected override readonly upkeep: MailCleanup;

  protected override readonly search = REALMS_WITH_DUE_MAIL;

  constructor(
    private readonly kernel: Kernel,
    private readonly composers: MailComposers,
    private readonly sender: MailSender,
    private readonly transport: MailTransport,
    folder: MailFolder,
  ) {
    super(SWEEP_MS, kernel, 'mails could not be looked for; trying again in a second', AT_ONCE);
    this.upkeep = new MailCleanup(kernel, folder);
  }

  /** Mails that the mail server has not answered are sent again later. */
  override async stop(): Promise<void> {
    this.isStopping = true;
    await this.transport.close();
    await super.stop();
    await this.transport.close();
  }

  protected override workOn(queues: Queues): void {
    queues.work(MAIL_QUEUE, async ({ data }) => this.launch(data['key'] as RealmId));
  }

  protected override async pass(realmId: RealmId): Promise<void> {
    const untilNothing = () => this.eachPage(() => this.sendNext(realmId));
    await Promise.all(Array.from({ length: OF_ONE_REALM }, untilNothing));
  }

  /** @returns whether another one may be due */
  private async sendNext(realmId: RealmId): Promise<boolean> {
    if (this.sender.isAway) return false;
    const { database, clock } = this.kernel;
    const until = (clock.now() + LEASE_MS) as Instant;
    const task = await leaseMailTask(database.pool, realmId, clock.now(), until);
    if (!task) return false;
    try {
      await this.attempt(task);
    } catch (error) {
      await this.failed(task, error);
    }
    return true;
  }

  private async attempt(task: MailTask): Promise<void> {
    const { database, clock, fence } = this.kernel;
    const composer = this.composers.of(task.kind);
    if (!composer) throw new UnknownKind(`no part of this server writes mails of the kind ${task.kind}`);
    await fence.reach(task.realmId);
    const draft = await composer.compose(task.realmId, task.key);
    if (draft instanceof DueLater) return postponeMailTask(database.pool, task, draft.dueAt, task.attempts);
    const result = draft && (await this.sender.send(task.realmId, task, draft));
    await completeMailTask(database.pool, task, clock.now(), result === null ? null : (draft?.userId ?? null));
  }

  private async failed(task: MailTask, err: unknown): Promise<void> {
    const { database, clock, options } = this.kernel;
    const reason = this.finalReason(task, err);
    const { realmId, kind, key, attempts } = task;
    const level = reason === null ? 'warn' : 'error';
    options.log[level]({ err, realmId, kind, key, attempts: attempts + 1, reason }, 'a mail could not be sent');
    if (reason !== null) return parkMailTask(database.pool, task, reason);
    const wait = Math.min(FIRST_RETRY_MS * 4 ** attempts, LONGEST_RETRY_MS);
    await postponeMailTask(database.pool, task, (clock.now() + wait) as Instant, attempts + 1);
  }

  /** Null while another attempt is useful. */
  private finalReason({ at, attempts }: MailTask, err: unknown): string | null {
    if (err instanceof MailFailure && err.trouble === 'refused') return err.reason;
    if (this.kernel.clock.now() - at >= MAX_AGE_MS) return `too old (${reasonOf(err)})`;
    const isOwnError = !(err instanceof MailFailure) && !(err instanceof UnknownKind);
    return isOwnError && attempts + 1 >= MAX_ATTEMPTS ? 'internal' : null;
  }

  /** Deletes what is older than a month. Done each hour. */
  cleanUp(): Promise<void> {
    return this.upkeep.sweep();
  }
}

const reasonOf = (err: unknown): string => (err instanceof MailFailure ? err.reason : 'internal');
