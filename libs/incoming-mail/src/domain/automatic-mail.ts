/** The headers of a mail that matter here, by their names in small letters. */
export type MailHeaders = ReadonlyMap<string, string>;

/** What a mail is for. People answer in conversations, and programs write to channels too. */
export type MailPurpose = 'channel' | 'conversation';

/**
 * Whether a mail was written by a program that answers mails, or could go round in a loop. Channels take reports of programs
 * (`auto-generated`) and mailing lists.
 *
 * @param ownId begins the `Message-ID`s of this server
 * @param ownHeader is in each mail of this server
 */
export function isAutomatic(
  headers: MailHeaders,
  purpose: MailPurpose,
  { ownId, ownHeader }: { readonly ownId: string; readonly ownHeader: string },
): boolean {
  const value = (name: string) => headers.get(name)?.trim().toLowerCase() ?? '';
  const submitted = value('auto-submitted').replace(/[;\s].*$/s, '');
  const isOwn = headers.has(ownHeader.toLowerCase()) || value('message-id').startsWith(`<${ownId}`);
  if (isOwn || headers.has('x-loop') || headers.has('x-autoreply') || headers.has('x-autorespond')) return true;
  if (['bulk', 'junk', 'auto_reply'].includes(value('precedence'))) return true;
  if (submitted === 'auto-replied' || submitted === 'auto-notified') return true;
  return purpose === 'conversation' && (!['', 'no'].includes(submitted) || value('precedence') === 'list');
}

/** Prefixes of answers and of forwarded mails in several languages. */
const PREFIX = /^\s*(?:(?:re|aw|antw|sv|vs|odp|res|rv|tr|wg|fw|fwd)(?:\[\d+\]|\(\d+\))?\s*[:：]\s*)+/i;
const NO_SUBJECT = 'Email with no subject';

/** The topic of a mail to a channel. */
export function topicOfSubject(subject: string): string {
  const topic = subject
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(PREFIX, '')
    .trim()
    .toWellFormed();
  return topic === '' ? NO_SUBJECT : topic;
}
