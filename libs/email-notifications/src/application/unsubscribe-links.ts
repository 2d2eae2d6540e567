import type { RealmId, UserId } from '@annals/kernel/domain';
import type { OwnSettings } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { MailTokens } from './mail-tokens';

/** What a user can end by a link in a mail. */
export type MailSubject = 'missed-messages' | 'digest' | 'login';

/** The mails that a link ends, and their user. */
export interface EndedMails {
  readonly userId: UserId;
  readonly subject: MailSubject;
}

const LETTERS: Readonly<Record<MailSubject, string>> = { 'missed-messages': 'm', digest: 'd', login: 'l' };

/**
 * The settings that end such mails (contract/boot.md section 6). Mails about channels and followed topics are about missed messages too, so
 * the link in one of them ends all three.
 */
export const ENDING_SETTINGS: Readonly<Record<MailSubject, Partial<OwnSettings>>> = {
  'missed-messages': {
    enable_offline_email_notifications: false,
    enable_stream_email_notifications: false,
    enable_followed_topic_email_notifications: false,
  },
  digest: { enable_digest_emails: false },
  login: { enable_login_emails: false },
};

/** Links in mails that end mails of their kind without a login (RFC 8058). They do not expire, as a mail may be read late. */
@Injectable()
export class UnsubscribeLinks {
  constructor(private readonly tokens: MailTokens) {}

  /** @param url of the organization */
  async of(realmId: RealmId, url: string, userId: UserId, subject: MailSubject): Promise<string> {
    const token = await this.tokens.sign(realmId, `u${LETTERS[subject]}${userId.toString(36)}`);
    return `${url}/unsubscribe/${token}`;
  }

  /** What a link ends. Null if the organization did not make it. */
  async resolve(realmId: RealmId, token: string): Promise<EndedMails | null> {
    const text = await this.tokens.textOf(realmId, token);
    const [, letter, user] = /^u([a-z])([0-9a-z]{1,12})$/.exec(text ?? '') ?? [];
    const subject = (Object.keys(LETTERS) as MailSubject[]).find((one) => LETTERS[one] === letter);
    return subject === undefined || user === undefined ? null : { userId: parseInt(user, 36) as UserId, subject };
  }
}
