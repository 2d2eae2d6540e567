import type { FactOf, Position, UserId } from '@annals/kernel/domain';
import { defineEvent, nullable, t, userId } from '@annals/kernel/domain';

const viewId = t.Integer({ minimum: 1 });
const snippetId = t.Integer({ minimum: 1 });

/** Of an event that holds words of its owner, which go when the person is forgotten. */
const wordsOf = (owner: UserId) =>
  [
    ['user', owner],
    ['person', owner],
  ] as const;

/** Stream `navigation-{user}`, as all four: fragments and names are each there once. Position and id of the view are one. */
export const NavigationViewAdded = defineEvent('personal.NavigationViewAdded', {
  data: t.Object({ userId, isPinned: t.Boolean() }),
  /** Views that every client has bear no name. */
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
/** Who owns the snippet, which one it is and when it was saved, in milliseconds. */
const ofSnippet = { userId, snippetId, savedAt: t.Integer() };

/** Stream `snippet-{position}`, as all three. */
export const SnippetSaved = defineEvent('personal.SnippetSaved', {
  data: t.Object({ userId }),
  sealed: words,
  subjects: (data, position) => [['snippet', position], ...wordsOf(data.userId)],
});
export type SnippetSaved = FactOf<typeof SnippetSaved>;

/** Title and content as they are from now on. */
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
