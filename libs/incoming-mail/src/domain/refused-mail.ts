/** Why a mail is not taken. The answer is for the mail server, and for the person who sent the mail. */
export class RefusedMail extends Error {
  override readonly name = 'RefusedMail';

  constructor(
    /** The answer of SMTP: 5xx is final, 4xx asks to try again. */
    readonly code: number,
    /** With the status of RFC 3463. */
    readonly reason: string,
  ) {
    super(`${code} ${reason}`);
  }
}

export const refuse = {
  unknownAddress: () => new RefusedMail(550, '5.1.1 No such address'),
  endedAddress: () => new RefusedMail(550, '5.1.6 This address is not valid any more'),
  wrongSender: () =>
    new RefusedMail(550, '5.7.1 Only the person whom the mail was for can answer it, from their address'),
  automatic: () => new RefusedMail(550, '5.7.1 Automatic mails are not accepted here'),
  notAllowed: (why: string) => new RefusedMail(550, `5.7.1 ${why}`),
  empty: () => new RefusedMail(550, '5.6.0 There is no text above the quoted mail'),
  unreadable: () => new RefusedMail(554, '5.6.0 The mail cannot be read'),
  tooLarge: () => new RefusedMail(552, '5.3.4 The mail is too large'),
  tooMany: () => new RefusedMail(450, '4.7.1 Too many mails. Try again in a minute'),
  full: () => new RefusedMail(452, '4.2.2 This organization has no room for more messages'),
  trouble: () => new RefusedMail(451, '4.3.0 Try again later'),
} as const;
