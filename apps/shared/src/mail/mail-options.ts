import type { LmtpOptions } from '@annals/incoming-mail';
import { MailOptions } from '@annals/mail';
import { mailDomain } from '@annals/realm';
import type { Settings } from '../settings';
import { mailFolderOf } from './mail-folder';
import { readSmtpUrl } from './smtp-url';

export type MailOptionSettings = Pick<
  Settings,
  'ANNALS_DATA_DIR' | 'ANNALS_MAIL_FROM' | 'ANNALS_MAIL_PATTERN' | 'ANNALS_SMTP_URL'
>;

/** How mail is sent and received by the settings. @param url address for clients */
export function mailOptionsOf(settings: MailOptionSettings, url: string): MailOptions {
  const { ANNALS_SMTP_URL: smtp, ANNALS_MAIL_FROM: from, ANNALS_MAIL_PATTERN: pattern } = settings;
  return new MailOptions(
    from ?? `noreply@${mailDomain(url)}`,
    smtp === undefined ? null : readSmtpUrl(smtp),
    mailFolderOf(settings),
    pattern ?? null,
  );
}

/** Where a worker takes mail by the settings. Null if it takes none. */
export const lmtpOf = ({
  ANNALS_LMTP_HOST: host,
  ANNALS_LMTP_PORT: port,
}: Pick<Settings, 'ANNALS_LMTP_HOST' | 'ANNALS_LMTP_PORT'>): LmtpOptions | null =>
  port === undefined ? null : { host, port };
