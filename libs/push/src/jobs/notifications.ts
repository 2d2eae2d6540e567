import { Kernel } from '@annals/kernel';
import type { Recorded, UserId } from '@annals/kernel/domain';
import { isGuest } from '@annals/kernel/domain';
import type { LoadedMessages, MessageRow } from '@annals/messages';
import { loadMessages } from '@annals/messages';
import type { ContentEdited, MessageSent } from '@annals/messages/events';
import type { UserRow } from '@annals/users';
import { UserAccess, readUsers, unknownUser } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { encryptedFor } from '../application/encryption';
import type { MentionsAt } from '../application/notification-reasons';
import { NotificationReasons } from '../application/notification-reasons';
import { messagePayload } from '../application/payloads';
import type { PushOrganization } from '../application/push-sender';
import { PushSender } from '../application/push-sender';
import { pushWishes } from '../domain/triggers';
import { readActiveDevices } from '../read/devices';
import type { MessageRecipient } from '../read/recipients';
import { PUSH_RECIPIENTS, RecipientReader } from '../read/recipients';
import type { LeasedTask } from './push-outbox-rows';
import { haveEarlierTasks, recordPage } from './push-outbox-rows';
import { notifiedAmong } from './notified-rows';
import { RetryLater, LeaseLost, leaseExpiry } from './lease';

/** Users in one request to the push service. */
const PAGE = 200;

const recipients = new RecipientReader(PUSH_RECIPIENTS);

/** Notifies users of messages and of edits, a page of users at a time. */
@Injectable()
export class Notifications {
  constructor(
    private readonly kernel: Kernel,
    private readonly reasons: NotificationReasons,
    private readonly userAccess: UserAccess,
    private readonly sender: PushSender,
  ) {}

  /**
   * Everything is read at this moment: active users, access to the message, and settings. @throws BouncerTrouble,
   * LeaseLost
   */
  notifyOfMessage(task: LeasedTask): Promise<void> {
    return this.notifyAll(task, null);
  }

  /**
   * Notifies users whom the edited text mentions and the text before did not. @throws BouncerTrouble, LeaseLost, RetryLater
   */
  async notifyOfEdit(task: LeasedTask): Promise<void> {
    const { realmId, position, messageId } = task;
    if (messageId === null) return;
    if (await haveEarlierTasks(this.kernel.database.pool, task, [messageId])) throw new RetryLater();
    const [edit] = await this.kernel.events.at(realmId, [position]);
    const texts = edit ? await this.kernel.events.stream(realmId, edit.stream) : [];
    const before = texts.findLast((text) => text.position < position) as
      Recorded<MessageSent | ContentEdited> | undefined;
    if (before) await this.notifyAll(task, { mentions: before.data.mentions, moment: before });
  }

  /** @param before the mentions of an edited message before the edit */
  private async notifyAll(task: LeasedTask, before: MentionsAt | null): Promise<void> {
    const { realmId, messageId } = task;
    if (messageId === null) return;
    const { pool } = this.kernel.database;
    await this.kernel.fence.reach(realmId);
    const organization = await this.sender.organization(realmId);
    for (let after: UserId | undefined = task.afterUser; after !== undefined;) {
      const loaded = await loadMessages(pool, realmId, [messageId], 'now');
      const message = loaded.rows.get(messageId);
      if (!message) return;
      const page = await recipients.page(pool, realmId, message, after, PAGE);
      const notified = await this.notifyPage(organization, loaded, message, page, before);
      const last = page.at(-1)?.userId;
      if (last !== undefined) {
        const noted = { last, notified, at: this.kernel.clock.now(), until: leaseExpiry(this.kernel) };
        if (!(await recordPage(pool, task, noted))) throw new LeaseLost();
      }
      after = page.length < PAGE ? undefined : last;
    }
  }

  /** @returns the users who were notified */
  private async notifyPage(
    organization: PushOrganization,
    loaded: LoadedMessages,
    message: MessageRow,
    page: readonly MessageRecipient[],
    before: MentionsAt | null,
  ): Promise<readonly UserId[]> {
    const { realmId } = organization;
    const { pool } = this.kernel.database;
    const sender = loaded.users.get(message.senderId);
    if (!sender || page.length === 0) return [];
    const ids = page.map(({ userId }) => userId);
    const edited = before && { ...before, notified: await notifiedAmong(pool, realmId, message.id, ids) };
    const wanted = await this.reasons.of(realmId, message, page, pushWishes, edited);
    const users = await readUsers(pool, realmId, [...wanted.keys()]);
    const texts = new Map<UserId, object>();
    for (const user of users) {
      const to = { ...user, mentionedBy: wanted.get(user.userId)?.mentionedBy ?? null };
      texts.set(user.userId, messagePayload(organization, to, message, await this.asSeenBy(user, sender)));
    }
    const devices = await readActiveDevices(pool, realmId, [...texts.keys()]);
    const requests = devices.map((device) => encryptedFor(device, texts.get(device.userId) ?? {}, 'rings'));
    await this.sender.send(organization, devices, requests);
    return [...new Set(devices.map(({ userId }) => userId))];
  }

  /** A guest may not be allowed to see the sender (contract/permissions.md section 7). */
  private async asSeenBy(reader: UserRow, sender: UserRow): Promise<UserRow> {
    if (!isGuest(reader)) return sender;
    const { realmId, userId } = sender;
    const actor = await this.reasons.actor(realmId, reader.userId);
    const inaccessible = await this.userAccess.inaccessibleAmong(actor, [userId]);
    return inaccessible.has(userId) ? unknownUser({ realmId, userId }) : sender;
  }
}
