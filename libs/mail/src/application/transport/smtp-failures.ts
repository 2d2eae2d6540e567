import { MailFailure } from '../../domain/mail-failure';

/** What the client says about a failure. */
interface SmtpError {
  readonly code?: unknown;
  readonly response?: unknown;
  readonly responseCode?: unknown;
}

/** Answers about this server rather than about the mail: it must use TLS, must log in, or logged in wrongly. */
const LOGIN = new Set([454, 500, 502, 503, 504, 530, 534, 535, 538]);
const LONGEST = 200;

/** Why an attempt failed. The reason has no address: a server repeats it in its answer. */
export function failureOf(error: unknown): MailFailure {
  const { code, response, responseCode } = error as SmtpError;
  const name = typeof code === 'string' ? code : 'unknown';
  if (typeof responseCode !== 'number' || responseCode < 400) return new MailFailure('away', name);
  const reason = withoutAddresses(typeof response === 'string' ? response : String(responseCode));
  if (name === 'EAUTH' || name === 'ETLS' || LOGIN.has(responseCode)) return new MailFailure('login', reason);
  const isOfMail = name === 'EENVELOPE' || name === 'EMESSAGE';
  if (!isOfMail || responseCode === 421) return new MailFailure('away', reason);
  return new MailFailure(responseCode >= 500 ? 'refused' : 'deferred', reason);
}

const withoutAddresses = (response: string): string =>
  response
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/\S*@\S*/g, '…')
    .slice(0, LONGEST)
    .trim();
