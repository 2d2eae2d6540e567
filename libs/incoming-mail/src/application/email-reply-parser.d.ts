declare module 'email-reply-parser' {
  /** A part of a mail. */
  export interface EmailFragment {
    getContent(): string;
    isQuoted(): boolean;
    isSignature(): boolean;
    /** It is below everything that a person wrote. */
    isHidden(): boolean;
    isEmpty(): boolean;
  }

  export default class EmailReplyParser {
    read(text: string): { getFragments(): EmailFragment[] };
  }
}
