/** What somebody who writes to a channel wants, by words in the address. */
export interface AddressOptions {
  /** Begin the message with the sender of the mail. */
  readonly showsSender: boolean;
  /** Keep signatures. */
  readonly keepsFooter: boolean;
  /** Keep quoted mails. */
  readonly keepsQuotes: boolean;
  /** Take the HTML part, if the mail has two. */
  readonly prefersHtml: boolean;
}

const OPTIONS = ['show-sender', 'include-footer', 'include-quotes', 'prefer-html'] as const;
/** A token has this many parts, and the name of the channel is before it. */
const TOKEN_PARTS = 6;
const LONGEST_NAME = 16;

/** The part of an address for a channel: its name for people, then the token. */
export function channelPart(name: string, token: string): string {
  const shown = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, LONGEST_NAME);
  return shown === '' ? token : `${shown}.${token}`;
}

/** The token of a part, and the words that people or clients have added. They are separated by `.` or `+`. */
export function partsOf(part: string): { readonly token: string; readonly options: AddressOptions } {
  const words = part.toLowerCase().split(/[.+]/);
  const has = (option: (typeof OPTIONS)[number]) => words.includes(option);
  const others = words.filter((word) => !OPTIONS.some((option) => option === word));
  return {
    token: others.slice(-TOKEN_PARTS).join('.'),
    options: {
      showsSender: has('show-sender'),
      keepsFooter: has('include-footer'),
      keepsQuotes: has('include-quotes'),
      prefersHtml: has('prefer-html'),
    },
  };
}
