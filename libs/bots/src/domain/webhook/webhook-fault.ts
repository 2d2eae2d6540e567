import type { WebhookFailed } from '../events';

type Failure = WebhookFailed['data']['failure'];

/** Why the program behind a bot did not answer a message. */
export type WebhookFault =
  | { readonly failure: Exclude<Failure, 'status' | 'answer' | 'refused'> }
  /** It answered with a status that is no success. */
  | { readonly failure: 'status'; readonly status: number; readonly body: string }
  /** What it answered is no answer, or may not be sent. */
  | { readonly failure: 'answer' | 'refused'; readonly reason: string; readonly body: string };

/** Seconds that a program has for its answer. */
export const ANSWER_SECONDS = 10;
/** Waits in ms before further attempts. The person who asked waits too, so there are few. */
const RETRIES_MS = [1_000, 3_000, 9_000];
/** Characters of an answer that its owner is shown. */
const MOST_SHOWN = 500;

/** Whether another attempt may succeed: the program was not reached, or has trouble of its own. */
export function isWorthRetrying(fault: WebhookFault): boolean {
  if (fault.failure === 'status') return fault.status === 429 || fault.status >= 500;
  return fault.failure === 'slow' || fault.failure === 'unreachable';
}

/** The wait in ms after this many failed attempts; null if there is no further one. */
export const retryAfter = (attempts: number): number | null => RETRIES_MS[attempts - 1] ?? null;

/** What the bot replies. */
export function replyTo(fault: WebhookFault): string {
  switch (fault.failure) {
    case 'status':
      return `Failure! Third party responded with ${fault.status}`;
    case 'answer':
    case 'refused':
      return `Failure! ${fault.reason}`;
    case 'direct':
      return "Failure! Slack outgoing webhooks don't support direct messages.";
    default:
      return 'Failure! Bot is unavailable';
  }
}

/** What the owner of the bot is told. Null if it is of no interest to them. */
export function reportOf(fault: WebhookFault): string | null {
  switch (fault.failure) {
    case 'status':
      return `The webhook got a response with status code *${fault.status}*.`;
    case 'answer':
    case 'refused':
      return `The response of the webhook could not become a message: ${fault.reason}`;
    case 'slow':
      return `The request timed out after ${ANSWER_SECONDS} seconds.`;
    case 'unreachable':
      return 'A connection error occurred. Is the server of the bot down?';
    case 'address':
      return 'The URL configured for the webhook is for a private or disallowed network.';
    case 'url':
      return 'The bot has no URL to which the message can be sent.';
    case 'direct':
    case 'internal':
      return null;
  }
}

/** The beginning of the answer, for the owner of the bot. Empty without one. */
export function shownBody(fault: WebhookFault): string {
  const body = 'body' in fault ? fault.body.replaceAll('\0', '\ufffd') : '';
  return body.length > MOST_SHOWN ? `${body.slice(0, MOST_SHOWN).toWellFormed()}…` : body;
}
