import type { Destination } from '@annals/messages';
import { OWN_HEADER, OWN_MESSAGE_ID } from '@annals/mail';
import type { ParsedMail } from 'mailparser';
import type { MailPurpose } from '../domain/automatic-mail';
import { isAutomatic, topicOfSubject } from '../domain/automatic-mail';
import { cleanText } from '../domain/clean-text';
import { refuse } from '../domain/refused-mail';
import type { MailTarget } from './mail-target';
import { textOf } from './text/mail-text';

/** The message that a mail becomes. */
export interface MailMessage {
  readonly to: Destination;
  readonly text: string;
}

const NO_BODY = '(No email body)';

/** The address that a mail is from, in small letters. Empty if it names none, or several. */
export function fromOf({ from }: Pick<ParsedMail, 'from'>): string {
  const [sender, ...others] = from?.value ?? [];
  return others.length === 0 ? (sender?.address ?? '').toLowerCase() : '';
}

/** @throws RefusedMail for mails of programs that could go round in a loop */
export function ensureWelcome({ headerLines }: Pick<ParsedMail, 'headerLines'>, purpose: MailPurpose): void {
  const headers = new Map(headerLines.map(({ key, line }) => [key, line.slice(line.indexOf(':') + 1)]));
  if (isAutomatic(headers, purpose, { ownId: OWN_MESSAGE_ID, ownHeader: OWN_HEADER })) throw refuse.automatic();
}

/** @throws RefusedMail for an answer that says nothing */
export async function messageOf(mail: ParsedMail, { purpose, to, options }: MailTarget): Promise<MailMessage> {
  const text = await textOf(mail, options);
  if (purpose === 'conversation') {
    if (text === '' && mail.attachments.length === 0) throw refuse.empty();
    return { to, text };
  }
  const [sender] = mail.from?.value ?? [];
  const from = options.showsSender && sender ? `**From:** ${senderText(sender)}\n\n` : '';
  const place = 'channel' in to ? { ...to, topic: topicOfSubject(mail.subject ?? '') } : to;
  return { to: place, text: `${from}${text === '' ? NO_BODY : text}` };
}

/** As code, so that a name cannot mention anybody. */
function senderText({ name, address = '' }: { readonly name: string; readonly address?: string }): string {
  const shown = cleanText(`${name} <${address}>`).replaceAll('`', '´').replace(/\s+/g, ' ');
  return `\`${shown.trim()}\``;
}
