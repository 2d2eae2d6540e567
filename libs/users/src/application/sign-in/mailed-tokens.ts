import type { SecretChange } from '@annals/kernel';
import { Kernel, readSecret } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { timingSafeEqual } from 'node:crypto';
import { unguessable } from './api-keys';

/** What the link is for. It is also the kind of its secret, of which an account has one. */
type MailedLink = 'password-reset' | 'email-change';

const TOKEN = /^(\d{1,15})-[A-Za-z0-9]{32}$/;
const nameOf = (link: MailedLink, userId: UserId): string => `${link}-${userId}`;

/**
 * Tokens of links in mails. They are stored as they are, beside the log, because a mail is written after the act, and again if no mail
 * server takes it. The stream of the link says whether it is still of use.
 */
@Injectable()
export class MailedTokens {
  constructor(private readonly kernel: Kernel) {}

  /** A new token for an account, as a secret. */
  put(link: MailedLink, userId: UserId): SecretChange {
    return { put: nameOf(link, userId), kind: link, value: Buffer.from(`${userId}-${unguessable()}`) };
  }

  drop(link: MailedLink, userId: UserId): SecretChange {
    return { drop: nameOf(link, userId) };
  }

  /** The token of an account. Undefined without one. */
  async of(realmId: RealmId, link: MailedLink, userId: UserId): Promise<string | undefined> {
    return (await readSecret(this.kernel.database.pool, realmId, nameOf(link, userId)))?.toString();
  }

  /** The account whose token it is. Undefined for a token that is of no use. */
  async owner(realmId: RealmId, link: MailedLink, token: string): Promise<UserId | undefined> {
    const named = TOKEN.exec(token)?.[1];
    if (named === undefined) return undefined;
    const userId = Number(named) as UserId;
    const [stored, presented] = [Buffer.from((await this.of(realmId, link, userId)) ?? ''), Buffer.from(token)];
    return stored.length === presented.length && timingSafeEqual(stored, presented) ? userId : undefined;
  }
}
