import { Kernel } from '@annals/kernel';
import type { Instant, RealmId, Recorded, UserId } from '@annals/kernel/domain';

import { loadMessages } from '@annals/messages';
import type { ContentEdited, MessageSent } from '@annals/messages/events';
import { OFFLINE_MS, readLastActive } from '@annals/presence';
import { NotificationReasons, RecipientReader } from '@annals/push';
import { readEffectiveSettings } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { mailDueAt } from '../domain/due';
import { EMAIL_RECIPIENTS, emailWishes } from '../read/email-recipients';
import type { LeasedEmailTask, MissedPage } from './email-task-rows';
import { hasEarlierTask, recordMissed } from './email-task-rows';
import { missedAmong } from './missed-message-rows';

/** Users who are looked at together. Each page of a wildcard mention looks at all users after the last page. */
const PAGE = 1_000;
/** How long a process that dies delays a task, in ms. */
const LEASE_MS = 30_000;

/** When a lease that starts now expires. */
export const emailLeaseExpiry = ({ clock }: Pick<Kernel, 'clock'>): Instant => (clock.now() + LEASE_MS) as Instant;

/** Another task has to end first, or another process has leased this one. */
export class TaskDeferred extends Error {}

/** The mentions of an edited text before the edit. */
type TextBefore = Recorded<MessageSent | ContentEdited>;

/** Finds the users who may get a mail because of an event, a page of users at a time. */
@Injectable()
export class RecipientWalk {
  private readonly recipients = new RecipientReader(EMAIL_RECIPIENTS);

  constructor(
    private readonly kernel: Kernel,
    private readonly reasons: NotificationReasons,
  ) {}

  /** @throws TaskDeferred */
  async walk(task: LeasedEmailTask): Promise<void> {
    const { pool } = this.kernel.database;
    const { realmId, messageId } = task;
    await this.kernel.fence.reach(realmId);
    const before = task.isEdit ? await this.textBefore(task) : null;
    if (before === undefined) return;
    for (let after: UserId | undefined = task.afterUser; after !== undefined;) {
      const message = (await loadMessages(pool, realmId, [messageId], 'now')).rows.get(messageId);
      if (!message) return;
      const page = await this.recipients.page(pool, realmId, message, after, PAGE);
      const last = page.at(-1)?.userId;
      if (last !== undefined) {
        const ids = page.map(({ userId }) => userId);
        const notified = before && (await missedAmong(pool, realmId, messageId, ids));
        const edited = before && notified && { mentions: before.data.mentions, moment: before, notified };
        const reasons = await this.reasons.of(realmId, message, page, emailWishes, edited);
        const missed = await this.due(realmId, task.at, [...reasons.keys()]);
        if (!(await recordMissed(pool, task, { last, missed, until: emailLeaseExpiry(this.kernel) }))) {
          throw new TaskDeferred();
        }
      }
      after = page.length < PAGE ? undefined : last;
    }
  }

  /** The text that an edit replaced. Undefined without one. */
  private async textBefore(task: LeasedEmailTask): Promise<TextBefore | undefined> {
    if (await hasEarlierTask(this.kernel.database.pool, task)) throw new TaskDeferred();
    const { realmId, position } = task;
    const [edit] = await this.kernel.events.at(realmId, [position]);
    const texts = edit ? await this.kernel.events.stream(realmId, edit.stream) : [];
    return texts.findLast((text) => text.position < position) as TextBefore | undefined;
  }

  /** The users, each with the time at which a mail about an event is due. */
  private async due(realmId: RealmId, at: Instant, userIds: readonly UserId[]): Promise<MissedPage['missed']> {
    const { pool } = this.kernel.database;
    const settings = await readEffectiveSettings(pool, realmId, userIds);
    const active = await readLastActive(pool, realmId, userIds, (at - OFFLINE_MS) as Instant);
    return userIds.map((userId) => {
      const period = settings.get(userId)?.email_notifications_batching_period_seconds ?? 0;
      return { userId, dueAt: mailDueAt(at, period, active.get(userId) ?? null, OFFLINE_MS) };
    });
  }
}
