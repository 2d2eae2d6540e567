import type { SecretChange, Work } from '@annals/kernel';
import { Kernel, readSecret } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { timingSafeEqual } from 'node:crypto';
import { reject } from '../../domain/rejections';
import { unguessable } from './api-keys';

/** What the link is for. It is also the kind of its secret, of which an account has one. */
export const MAILED_LINKS = ['password-reset', 'email-change'] as const;
export type MailedLink = (typeof MAILED_LINKS)[number];

const TOKEN = /^(\d{1,15})-[A-Za-z0-9]{32}$/;
/** Name of the secret with the token of a link. */
export const mailedLinkSecret = (link: MailedLink, userId: UserId): string => `${link}-${userId}`;

/**
 * Tokens of links in mails. They are stored as they are, beside the log, because a mail is written after the act, and again if no mail
 * server takes it. The stream of the link says whether it is still of use.
 */
@Injectable()
export class MailedTokens {
  constructor(private readonly kernel: Kernel) {}

  /** A new token for an account, as a secret. */
  put(link: MailedLink, userId: UserId): SecretChange {
    return { put: mailedLinkSecret(link, userId), kind: link, value: Buffer.from(`${userId}-${unguessable()}`) };
  }

  /** The token of an account. Undefined without one. */
  async of(realmId: RealmId, link: MailedLink, userId: UserId): Promise<string | undefined> {
    return (await readSecret(this.kernel.database.pool, realmId, mailedLinkSecret(link, userId)))?.toString();
  }

  /**
   * Requires that a token is the one of the account. The unit of work has read the account and the stream of the link before. So a link
   * that is replaced or ended afterwards changes what the append depends on.
   *
   * @throws Rejected BAD_REQUEST
   */
  async ensureValid(work: Work, link: MailedLink, token: string, userId: UserId): Promise<void> {
    if ((await this.owner(work.realmId, link, token)) !== userId) throw reject.linkNotValid();
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
