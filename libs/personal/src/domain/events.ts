import type { FactOf, Position, UserId } from '@annals/kernel/domain';
import { defineEvent, nullable, t, userId } from '@annals/kernel/domain';

const viewId = t.Integer({ minimum: 1 });
const snippetId = t.Integer({ minimum: 1 });

/** Of an event with texts of its owner, which are erased with the person. */
const wordsOf = (owner: UserId) =>
  [
    ['user', owner],
    ['person', owner],
  ] as const;

/**
 * Stream `navigation-{user}`, like all four: each fragment and each name is unique there. The id of a view is a
 * position.
 */
export const NavigationViewAdded = defineEvent('personal.NavigationViewAdded', {
  data: t.Object({ userId, isPinned: t.Boolean() }),
  /** Built-in views have no name. */
  sealed: t.Object({ fragment: t.String(), name: nullable(t.String()) }),
  subjects: (data) => wordsOf(data.userId),
});
export type NavigationViewAdded = FactOf<typeof NavigationViewAdded>;

/** Pinned, or hidden in the menu. */
export const NavigationViewPinned = defineEvent('personal.NavigationViewPinned', {
  data: t.Object({ userId, viewId, isPinned: t.Boolean() }),
  sealed: t.Object({ fragment: t.String() }),
  subjects: (data) => wordsOf(data.userId),
});
export type NavigationViewPinned = FactOf<typeof NavigationViewPinned>;

export const NavigationViewRenamed = defineEvent('personal.NavigationViewRenamed', {
  data: t.Object({ userId, viewId }),
  sealed: t.Object({ fragment: t.String(), name: t.String() }),
  subjects: (data) => wordsOf(data.userId),
});
export type NavigationViewRenamed = FactOf<typeof NavigationViewRenamed>;

export const NavigationViewRemoved = defineEvent('personal.NavigationViewRemoved', {
  data: t.Object({ userId, viewId }),
  sealed: t.Object({ fragment: t.String() }),
  subjects: (data) => wordsOf(data.userId),
});
export type NavigationViewRemoved = FactOf<typeof NavigationViewRemoved>;

export type NavigationEvent =
  NavigationViewAdded | NavigationViewPinned | NavigationViewRenamed | NavigationViewRemoved;

const words = t.Object({ title: t.String(), content: t.String() });
/** The owner of the snippet, its id, and when it was saved, in milliseconds. */
const ofSnippet = { userId, snippetId, savedAt: t.Integer() };

/** Stream `snippet-{position}`, like all three. */
export const SnippetSaved = defineEvent('personal.SnippetSaved', {
  data: t.Object({ userId }),
  sealed: words,
  subjects: (data, position) => [['snippet', position], ...wordsOf(data.userId)],
});
export type SnippetSaved = FactOf<typeof SnippetSaved>;

/** Title and content of the snippet from now on. */
export const SnippetEdited = defineEvent('personal.SnippetEdited', {
  data: t.Object(ofSnippet),
  sealed: words,
  subjects: (data) => [['snippet', data.snippetId], ...wordsOf(data.userId)],
});
export type SnippetEdited = FactOf<typeof SnippetEdited>;

export const SnippetDeleted = defineEvent('personal.SnippetDeleted', {
  data: t.Object({ userId, snippetId }),
  subjects: (data) => [
    ['snippet', data.snippetId],
    ['user', data.userId],
  ],
  erases: (data) => [['snippet', data.snippetId]],
});
export type SnippetDeleted = FactOf<typeof SnippetDeleted>;

export type SnippetEvent = SnippetSaved | SnippetEdited | SnippetDeleted;

/** The id of an object is the position of its first event. */
export const idAt = (position: Position): number => position;
