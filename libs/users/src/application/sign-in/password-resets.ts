import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Work } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { Instant, Origin, RealmId, UserId } from '@annals/kernel/domain';
import { DAY_MS } from '@annals/kernel/domain';
import { AuthenticationMethods, runAsVisitor } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { userAggregate } from '../../domain/account/account';
import { askForReset, mayResetPassword, passwordResetAggregate } from '../../domain/sign-in/password-reset';
import { UserFacts } from '../../read/account/user-facts';
import { AccountPasswords } from './account-passwords';
import { MailedTokens } from './mailed-tokens';

/** A link for an account. */
export interface ResetToken {
  readonly userId: UserId;
  readonly token: string;
}

/** Gives an account a link to choose a password. One request makes one link. The token is in `tokens` after the append. */
export async function giveResetLink(
  work: Work,
  tokens: MailedTokens,
  userId: UserId,
  requestId: string,
): Promise<void> {
  const asked = await work.decide(passwordResetAggregate, userId, (link) => askForReset(link, userId, requestId));
  if (asked.length > 0) work.secret(tokens.put('password-reset', userId));
}

/** Forgets requests of before yesterday, with the addresses that people typed and those that they came from. */
export async function deleteOldResetRequests(pool: Pool, now: Instant): Promise<void> {
  await pool.query({
    name: 'password-reset-delete-old',
    text: 'DELETE FROM password_reset_requests WHERE at < $1',
    values: [now - DAY_MS],
  });
}

interface StoredRequest {
  readonly email: string;
  readonly client: string;
  readonly address: string | null;
}

/**
 * Links to choose another password. A request is stored before anything is known about its address, so it takes the same time for
 * every address. A worker finds the account later.
 */
@Injectable()
export class PasswordResets {
  constructor(
    private readonly kernel: Kernel,
    private readonly facts: UserFacts,
    private readonly tokens: MailedTokens,
    private readonly methods: AuthenticationMethods,
    private readonly passwords: AccountPasswords,
  ) {}

  /** Stores a request, for a day. @returns its id, for `linkFor` */
  async note(realmId: RealmId, email: string, { client, address }: Origin): Promise<string> {
    const [id, now] = [randomUUID(), this.kernel.clock.now()];
    await this.kernel.database.pool.query({
      name: 'password-reset-note',
      text: `INSERT INTO password_reset_requests (realm_id, id, email, client, address, at)
        VALUES ($1, $2, $3, $4, $5, $6)`,
      values: [realmId, id, email, client, address, now],
    });
    return id;
  }

  /**
   * The link of a request. Null if no account may get one. Asked again, it is the same link. Somebody whose password is in another system
   * gets none: a password of this server would still work after the other system has ended theirs.
   */
  async linkFor(realmId: RealmId, requestId: string): Promise<ResetToken | null> {
    const request = await this.find(realmId, requestId);
    await this.kernel.fence.reach(realmId);
    const userId = request && (await this.facts.idByEmail(realmId, request.email));
    if (!request || userId === undefined) return null;
    if ((await this.passwords.placeOf(realmId, userId)) === 'elsewhere') return null;
    const origin = { client: request.client, address: request.address, correlation: requestId };
    const isAllowed = await runAsVisitor(this.kernel.work, { realmId, origin }, async (work) => {
      const account = await work.read(userAggregate, userId);
      if (!mayResetPassword(account) || !(await this.methods.isOnIn(work, 'Email'))) return false;
      await giveResetLink(work, this.tokens, userId, requestId);
      return true;
    });
    const token = isAllowed ? await this.tokens.of(realmId, 'password-reset', userId) : undefined;
    return token === undefined ? null : { userId, token };
  }

  private async find(realmId: RealmId, id: string): Promise<StoredRequest | undefined> {
    const { rows } = await this.kernel.database.pool.query<StoredRequest>({
      name: 'password-reset-find',
      text: 'SELECT email, client, address FROM password_reset_requests WHERE realm_id = $1 AND id = $2',
      values: [realmId, id],
    });
    return rows[0];
  }
}
