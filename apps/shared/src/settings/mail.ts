import { IsEmail, IsOptional } from 'class-validator';
import { IsMailPattern } from '../mail/mail-pattern';
import { IsSmtpUrl } from '../mail/smtp-url';

/** Mail that this server sends and receives. */
export class MailSettings {
  /** A mail server needs an address that it sends for. */
  static readonly together = [['ANNALS_SMTP_URL', 'ANNALS_MAIL_FROM']] as const;

  /** The mail server that takes all mails, with credentials. Left out: mails are files in the data folder. */
  @IsOptional()
  @IsSmtpUrl()
  readonly ANNALS_SMTP_URL?: string;

  /** The address that mails are from. */
  @IsOptional()
  @IsEmail({}, { message: 'ANNALS_MAIL_FROM must be an email address.' })
  readonly ANNALS_MAIL_FROM?: string;

  /** Addresses at which this server receives mail, with `%s` for what tells them apart. Left out: it receives none. */
  @IsOptional()
  @IsMailPattern()
  readonly ANNALS_MAIL_PATTERN?: string;
}
