import type { Work } from '@annals/kernel';
import { Kernel, systemActor } from '@annals/kernel';
import type { Instant, RealmId, UserId } from '@annals/kernel/domain';
import { accountStream, fact } from '@annals/kernel/domain';
import { AddressChanged } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { AddressBounced, AddressConfirmed } from '../domain/events';
import { readBouncing } from '../read/bouncing-addresses';

/** A mail that came back. */
export interface ReturnedMail {
  /** A part of the address that it came to. */
  readonly token: string;
  /** Status of RFC 3463. Those that begin with 5 are final. */
  readonly status: string;
}

/** Records which addresses mails come back from, and where they arrive again. */
@Injectable()
export class AddressBounces {
  constructor(private readonly kernel: Kernel) {}

  /** Whether a report about a mail may come: this server sent one with this token, and not long ago. */
  async isAwaited(realmId: RealmId, token: string): Promise<boolean> {
    const { rowCount } = await this.kernel.database.pool.query({
      name: 'mail-bounce-awaited',
      text: 'SELECT FROM mail_tasks WHERE realm_id = $1 AND bounce_token = $2 AND done_at IS NOT NULL',
      values: [realmId, token],
    });
    return rowCount === 1;
  }

  /**
   * A mail came back. If that is final, its task is set aside, and the account gets no notifications any more.
   *
   * @returns false if this server sent no such mail, or long ago
   */
  async cameBack(realmId: RealmId, { token, status }: ReturnedMail): Promise<boolean> {
    const { pool } = this.kernel.database;
    const isFinal = status.startsWith('5.');
    const { rows } = await pool.query<{ sentAt: Instant; userId: UserId | null }>({
      name: 'mail-came-back',
      text: `UPDATE mail_tasks SET parked = CASE WHEN $3 THEN 'came back (' || $4 || ')' ELSE parked END
        WHERE realm_id = $1 AND bounce_token = $2 AND done_at IS NOT NULL
        RETURNING done_at AS "sentAt", user_id AS "userId"`,
      values: [realmId, token, isFinal, status],
    });
    const [mail] = rows;
    if (!mail) return false;
    if (isFinal && mail.userId !== null) await this.bounced(realmId, mail.userId, mail.sentAt, status);
    return true;
  }

  /** The owner of an account has received a mail, for example followed a link in it. */
  async confirm(work: Work, userId: UserId): Promise<void> {
    const bouncing = await readBouncing(this.kernel.database.pool, work.realmId, [userId]);
    if (bouncing.has(userId)) work.append(streamOf(userId), [fact(AddressConfirmed, { userId })]);
  }

  /** Says nothing about an address that the account has no more. */
  private async bounced(realmId: RealmId, userId: UserId, sentAt: Instant, status: string): Promise<void> {
    const { database, events, work } = this.kernel;
    const account = await events.stream(realmId, accountStream(userId));
    if (account.some(({ type, at }) => type === AddressChanged.type && at > sentAt)) return;
    await work.run(systemActor(realmId), async (bouncing) => {
      if ((await readBouncing(database.pool, realmId, [userId])).has(userId)) return;
      bouncing.append(streamOf(userId), [fact(AddressBounced, { userId, status })]);
    });
  }
}

const streamOf = (userId: UserId): string => `mail-address-${userId}`;
