/** What a user asks a bot. */
export interface BotQuery {
  /** Without the mention of the bot. */
  readonly text: string;
  /** The email of its author, as guests see it. */
  readonly author: string;
}

/**
 * What a program answers: to the author, or in the topic of a channel, or with the next number in the one message that it
 * edits.
 */
export type ProgramAnswer =
  | { readonly kind: 'reply'; readonly content: string }
  | { readonly kind: 'post'; readonly channel: string; readonly topic: string; readonly content: string }
  | { readonly kind: 'count' };

/** A program of an embedded bot. It is pure: the same question has the same answer. */
export type AnsweringProgram = (query: BotQuery) => ProgramAnswer;

export const reply = (content: string): ProgramAnswer => ({ kind: 'reply', content });
