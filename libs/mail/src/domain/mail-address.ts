/** One mailbox without a name. No character has a meaning in a header or in a command of SMTP. */
const ADDRESS = /^[^\s<>()[\]\\,;:"@\p{Cc}]{1,64}@[^\s<>()[\]\\,;:"@\p{Cc}]{1,255}$/u;
/** Domains that lead nowhere (RFC 2606 and RFC 6761). */
const NOWHERE = /(^|[.@])(invalid|localhost|test|example)$/i;

/** Whether a text is a single mailbox, which cannot break out of a header or a command. */
export const isMailAddress = (text: string): boolean => ADDRESS.test(text);

/** Whether no mail server can deliver to an address. */
export const leadsNowhere = (address: string): boolean => NOWHERE.test(address);

/** A text as one line of a header. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
