import { createHash } from 'node:crypto';
import type { Instant } from '@annals/kernel/domain';
import { isMailAddress, oneLine } from '../domain/mail-address';
import type { MailDraft } from '../domain/mail-draft';
import type { RenderedMail } from './layout/rendering';

/** Marks mails of this server, so that it never takes one of them for a message. */
export const OWN_HEADER = 'X-Annals-Mail';
/** Begins the `Message-ID`s of this server. */
export const OWN_MESSAGE_ID = 'annals.';

/** What names one mail: the same for each attempt to send it. */
export interface MailName {
  /** Of the organization. */
  readonly uuid: string;
  readonly kind: string;
  readonly key: string;
}

/** An id of a mail that tells nothing of it. */
export const mailIdOf = ({ uuid, kind, key }: MailName): string =>
  createHash('sha256')
    .update(JSON.stringify([uuid, kind, key]))
    .digest('hex')
    .slice(0, 32);

/** The `Message-ID` of a mail. @param from the address that mails of this server are from */
export const messageIdOf = (name: MailName, from: string): string =>
  `<${OWN_MESSAGE_ID}${mailIdOf(name)}@${from.slice(from.lastIndexOf('@') + 1)}>`;

/** The parts of a mail beside its draft. */
export interface LetterParts {
  readonly name: MailName;
  /** The sender. */
  readonly from: { readonly name: string; readonly address: string };
  readonly date: Instant;
  readonly rendered: RenderedMail;
}

/**
 * The mail as RFC 5322 has it. Names and subjects cannot add headers: they are one line, and encoded.
 *
 * @throws Error for an address that is none
 */
export async function rawMail(draft: MailDraft, { name, from, date, rendered }: LetterParts): Promise<Buffer> {
  const { default: Composer } = await import('nodemailer/lib/mail-composer');
  const { replyTo, thread = [] } = draft;
  const last = thread.at(-1);
  return new Composer({
    from: { name: oneLine(draft.fromName ?? from.name), address: checked(from.address) },
    to: { name: oneLine(draft.toName ?? ''), address: checked(draft.to) },
    ...(replyTo === undefined ? {} : { replyTo: checked(replyTo) }),
    subject: rendered.subject,
    text: rendered.text,
    html: rendered.html,
    date: new Date(date),
    messageId: messageIdOf(name, from.address),
    ...(last === undefined ? {} : { inReplyTo: oneLine(last), references: thread.map(oneLine) }),
    headers: headersOf(draft),
    // A mail has no content that is read from elsewhere.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
}

/** So that neither programs nor people on holiday answer, and mail programs can end notifications (RFC 3834, RFC 8058). */
const headersOf = ({ purpose, language, unsubscribe }: MailDraft): Record<string, string> => ({
  'Auto-Submitted': 'auto-generated',
  'X-Auto-Response-Suppress': 'All',
  [OWN_HEADER]: purpose,
  'Content-Language': language,
  ...(purpose === 'notification' && { Precedence: 'bulk' }),
  ...(unsubscribe && {
    'List-Unsubscribe': `<${new URL(unsubscribe.url).href}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }),
});

function checked(address: string): string {
  if (!isMailAddress(address)) throw new Error('a mail has an address that is none');
  return address;
}
