import type { FactOf, Position, Static, UserId } from '@annals/kernel/domain';
import { channelId, defineEvent, nullable, t, userId } from '@annals/kernel/domain';

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

const text = t.Object({ title: t.String(), content: t.String() });
/** The owner of the snippet, its id, and when it was saved, in milliseconds. */
const ofSnippet = { userId, snippetId, savedAt: t.Integer() };

/** Stream `snippet-{position}`, like all three. */
export const SnippetSaved = defineEvent('personal.SnippetSaved', {
  data: t.Object({ userId }),
  sealed: text,
  subjects: (data, position) => [['snippet', position], ...wordsOf(data.userId)],
});
export type SnippetSaved = FactOf<typeof SnippetSaved>;

/** Title and content of the snippet from now on. */
export const SnippetEdited = defineEvent('personal.SnippetEdited', {
  data: t.Object(ofSnippet),
  sealed: text,
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

const draftId = t.Integer({ minimum: 1 });

const draftTarget = nullable(
  t.Union([
    t.Object({ channelId }),
    /** The others, ascending. The owner alone for a message to oneself. */
    t.Object({ userIds: t.Array(userId, { minItems: 1 }) }),
  ]),
);
/** The destination of a draft. Null if it has none yet. */
export type DraftDestination = Static<typeof draftTarget>;

const draftWords = t.Object({
  content: t.String(),
  /** Empty for a draft that is not for a channel. */
  topic: t.String(),
});

/** The owner, the destination, and when the client last changed it, in milliseconds. */
const ofDraft = { userId, target: draftTarget, editedAt: t.Integer({ minimum: 0 }) };

/** Stream `draft-{position}`, like the next two. */
export const DraftSaved = defineEvent('personal.DraftSaved', {
  data: t.Object(ofDraft),
  sealed: draftWords,
  subjects: (data, position) => [['draft', position], ...wordsOf(data.userId)],
});
export type DraftSaved = FactOf<typeof DraftSaved>;

/** All properties from now on. */
export const DraftEdited = defineEvent('personal.DraftEdited', {
  data: t.Object({ draftId, ...ofDraft }),
  sealed: draftWords,
  subjects: (data) => [['draft', data.draftId], ...wordsOf(data.userId)],
});
export type DraftEdited = FactOf<typeof DraftEdited>;

export const DraftDeleted = defineEvent('personal.DraftDeleted', {
  data: t.Object({ userId, draftId }),
  subjects: (data) => [
    ['draft', data.draftId],
    ['user', data.userId],
  ],
  erases: (data) => [['draft', data.draftId]],
});
export type DraftDeleted = FactOf<typeof DraftDeleted>;

/**
 * Stream `drafts-{user}`: the server keeps none of these drafts any more, because their synchronization was turned off.
 * Clients keep theirs.
 */
export const DraftsDiscarded = defineEvent('personal.DraftsDiscarded', {
  data: t.Object({ userId, draftIds: t.Array(draftId, { minItems: 1 }) }),
  subjects: (data) => [['user', data.userId], ...data.draftIds.map((id) => ['draft', id] as const)],
  erases: (data) => data.draftIds.map((id) => ['draft', id]),
});
export type DraftsDiscarded = FactOf<typeof DraftsDiscarded>;

export type DraftEvent = DraftSaved | DraftEdited | DraftDeleted;

/** Stream `onboarding-steps-{user}`: clients do not show the step again. */
export const OnboardingStepSeen = defineEvent('personal.OnboardingStepSeen', {
  data: t.Object({ userId, step: t.String() }),
  subjects: (data) => [['user', data.userId]],
});
export type OnboardingStepSeen = FactOf<typeof OnboardingStepSeen>;

/** The id of an object is the position of its first event. */
export const idAt = (position: Position): number => position;
