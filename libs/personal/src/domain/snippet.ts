import type { Instant, UserId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import type { SnippetEvent } from './events';
import { SnippetDeleted, SnippetEdited, SnippetSaved, idAt } from './events';
import { reject } from './rejections';

/** A saved text of a user. */
export interface SnippetText {
  readonly title: string;
  /** Markdown. */
  readonly content: string;
}

/** A saved snippet as rules need it. */
export interface Snippet {
  readonly id: number;
  readonly userId: UserId;
  readonly savedAt: Instant;
  /** Null once they were erased. */
  readonly text: SnippetText | null;
}

/** Most snippets of one account: its clients load all at the start. */
export const MAX_SNIPPETS = 500;

/** Null before it was saved and after it was deleted. */
export const snippetAggregate = defineAggregate<Snippet | null, SnippetEvent>('snippet', null, (snippet, event) => {
  switch (event.type) {
    case 'personal.SnippetSaved': {
      const text = event.sealed === 'erased' ? null : event.sealed;
      return { id: idAt(event.position), userId: event.data.userId, savedAt: event.at, text };
    }
    case 'personal.SnippetEdited':
      return snippet && { ...snippet, text: event.sealed === 'erased' ? null : event.sealed };
    case 'personal.SnippetDeleted':
      return null;
  }
});

/**
 * INTERFACE.md 4.17
 *
 * @param present number of snippets of the account. The append must guard it
 * @throws Rejected BAD_REQUEST for one too many
 */
export function saveSnippet(text: SnippetText, userId: UserId, present: number): SnippetSaved {
  if (present >= MAX_SNIPPETS) throw reject.tooManySnippets({ limit: MAX_SNIPPETS });
  return fact(SnippetSaved, { userId }, { ...text });
}

/** The requested changes. A property that is left out keeps its value. */
export interface SnippetChange {
  readonly title?: string | undefined;
  readonly content?: string | undefined;
}

/**
 * Equal values give no event (contract/navigation-snippets-domains.md section 2).
 *
 * @throws Rejected BAD_REQUEST, like for an unknown snippet, for all but its owner
 */
export function editSnippet(state: Snippet | null, change: SnippetChange, userId: UserId): SnippetEdited[] {
  const { id, savedAt, text } = own(state, userId);
  const title = change.title ?? text?.title ?? '';
  const content = change.content ?? text?.content ?? '';
  if (text?.title === title && text.content === content) return [];
  return [fact(SnippetEdited, { userId, snippetId: id, savedAt }, { title, content })];
}

/** @throws Rejected BAD_REQUEST, like for an unknown snippet, for all but its owner */
export const deleteSnippet = (state: Snippet | null, userId: UserId): SnippetDeleted[] => [
  fact(SnippetDeleted, { userId, snippetId: own(state, userId).id }),
];

function own(snippet: Snippet | null, userId: UserId): Snippet {
  if (snippet?.userId !== userId) throw reject.noSuchSnippet();
  return snippet;
}
