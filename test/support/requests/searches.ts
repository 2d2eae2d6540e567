import type { Answer, Params } from '../server/caller';
import { granted } from '../server/caller';
import type { Person } from '../server/organization';
import type { Found } from './message-fixture';

/** A message that was found, with the words of the search highlighted. */
export type Match = Found['messages'][number] & {
  readonly content: string;
  readonly match_content?: string;
  readonly match_subject?: string;
};

export const highlight = (text: string): string => `<span class="highlight">${text}</span>`;

export const searched = (by: Person, operand: unknown, others: readonly unknown[] = [], params: Params = {}) =>
  by.get<Omit<Found, 'messages'> & { readonly messages: readonly Match[] }>('/messages', {
    anchor: 'newest',
    num_before: 100,
    narrow: [{ operator: 'search', operand }, ...others],
    ...params,
  });

/** The messages that have the words, ascending. */
export const matchesOf = async (...asked: Parameters<typeof searched>) => granted(await searched(...asked)).messages;

/** Their Markdown. */
export const textsWith = async (by: Person, operand: unknown, others: readonly unknown[] = [], params: Params = {}) =>
  (await matchesOf(by, operand, others, { apply_markdown: false, ...params })).map(({ content }) => content);

/** Code of the refusal of a search, and its status. */
export const refusalOf = ({ status, body }: Answer<unknown>) => ({ status, code: body.code });
