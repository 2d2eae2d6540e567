import { Kernel } from '@annals/kernel';
import type { RealmId, Recorded, UserId } from '@annals/kernel/domain';
import { readHasRead } from '@annals/messages';
import type { MessagesDeleted } from '@annals/messages/events';
import { readUsers } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { encryptedFor } from '../application/encryption';
import { removalPayload } from '../application/payloads';
import type { PushOrganization } from '../application/push-sender';
import { PushSender } from '../application/push-sender';
import { readActiveDevices } from '../read/devices';
import { becameRead } from './became-read';
import { LeaseLost, RetryLater, leaseExpiry } from './lease';
import type { NotifiedUser } from './notified-rows';
import {
  deleteNotified,
  deleteNotifiedUsers,
  haveEarlierTasksWhere,
  readNotified,
  readNotifiedWhere,
} from './notified-rows';
import type { LeasedTask } from './push-outbox-rows';
import { haveEarlierTasks, recordProgress } from './push-outbox-rows';

/** Users in one request to the push service. */
const PAGE = 200;
/**
 * Attempts for which a withdrawal waits for earlier tasks, with 1, 2, 4 … s between them: longer than a lease. A task that runs
 * later sees that the message is read.
 */
const ATTEMPTS_TO_WAIT = 6;

/** Removes notifications from devices (contract/push.md section 6), a page of users at a time. */
@Injectable()
export class Withdrawals {
  constructor(
    private readonly kernel: Kernel,
    private readonly sender: PushSender,
  ) {}

  /** Removes notifications of deleted messages. @throws BouncerFailure, LeaseLost, RetryLater */
  async removeDeleted(task: LeasedTask): Promise<void> {
    const { realmId, position } = task;
    const { pool } = this.kernel.database;
    const [event] = (await this.kernel.events.at(realmId, [position])) as Recorded<MessagesDeleted>[];
    if (!event) return;
    const { messageIds } = event.data;
    if (await haveEarlierTasks(pool, task, messageIds)) throw new RetryLater();
    await this.removeAll(
      task,
      (after) => readNotified(pool, realmId, messageIds, after, PAGE),
      (page) => Promise.resolve(page),
    );
    await deleteNotified(pool, realmId, messageIds);
  }

  /**
   * Removes notifications of messages that users have read by now, among those that an event may have made read: what is no
   * longer true is not withdrawn, and another event of the same user finds nothing left. @throws BouncerFailure, LeaseLost,
   * RetryLater
   */
  async removeRead(task: LeasedTask): Promise<void> {
    const { realmId, position, attempts } = task;
    const { pool } = this.kernel.database;
    const [event] = await this.kernel.events.at(realmId, [position]);
    const read = event && becameRead(event);
    if (!read) return;
    if (attempts < ATTEMPTS_TO_WAIT && (await haveEarlierTasksWhere(pool, task, read))) throw new RetryLater();
    await this.removeAll(
      task,
      (after) => readNotifiedWhere(pool, realmId, read, after, PAGE),
      (page) => this.readAmong(realmId, page),
    );
  }

  private async removeAll(
    task: LeasedTask,
    pageAfter: (after: UserId) => Promise<readonly NotifiedUser[]>,
    removable: (page: readonly NotifiedUser[]) => Promise<readonly NotifiedUser[]>,
  ): Promise<void> {
    const { pool } = this.kernel.database;
    const organization = await this.sender.organization(task.realmId);
    for (let after: UserId | undefined = task.afterUser; after !== undefined;) {
      const page = await pageAfter(after);
      const removed = await removable(page);
      await this.remove(organization, removed);
      await deleteNotifiedUsers(pool, task.realmId, removed);
      const last = page.at(-1)?.userId;
      if (last !== undefined && !(await recordProgress(pool, task, last, leaseExpiry(this.kernel)))) {
        throw new LeaseLost();
      }
      after = page.length < PAGE ? undefined : last;
    }
  }

  private async remove(organization: PushOrganization, notified: readonly NotifiedUser[]): Promise<void> {
    if (notified.length === 0) return;
    const { realmId } = organization;
    const { pool } = this.kernel.database;
    const messages = new Map(notified.map(({ userId, messageIds }) => [userId, messageIds]));
    const users = await readUsers(pool, realmId, [...messages.keys()]);
    const active = users.filter(({ isActive }) => isActive).map(({ userId }) => userId);
    const devices = await readActiveDevices(pool, realmId, active);
    const requests = devices.map((device) =>
      encryptedFor(device, removalPayload(organization, device.userId, messages.get(device.userId) ?? []), 'silent'),
    );
    await this.sender.send(organization, devices, requests);
  }

  private async readAmong(realmId: RealmId, page: readonly NotifiedUser[]): Promise<NotifiedUser[]> {
    const ids = [...new Set(page.flatMap(({ messageIds }) => messageIds))];
    const users = page.map(({ userId }) => userId);
    const hasRead = await readHasRead(this.kernel.database.pool, realmId, ids, users);
    return page.flatMap(({ userId, messageIds }) => {
      const read = messageIds.filter((id) => hasRead(userId, id));
      return read.length === 0 ? [] : [{ userId, messageIds: read }];
    });
  }
}
