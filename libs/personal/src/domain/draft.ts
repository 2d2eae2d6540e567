import type { Instant, UserId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import type { DraftEvent, DraftDestination } from './events';
import { DraftDeleted, DraftEdited, DraftSaved, DraftsDiscarded, idAt } from './events';
import { reject } from './rejections';

/** The texts of a draft. */
export interface DraftText {
  /** Markdown. */
  readonly content: string;
  readonly topic: string;
}

/** A draft as its owner wrote it, after all checks. */
export interface DraftBody extends DraftText {
  readonly target: DraftDestination;
  readonly editedAt: Instant;
}

/** A draft as rules need it. */
export interface SavedDraft {
  readonly id: number;
  readonly userId: UserId;
  readonly target: DraftDestination;
  readonly editedAt: Instant;
  /** Null once they were erased. */
  readonly text: DraftText | null;
}

/** Most drafts of one account: its clients load all at the start. */
export const MAX_DRAFTS = 1_000;

/** Null before it was saved and after it was deleted. A draft that was discarded has no row, and is not decided about. */
export const draftAggregate = defineAggregate<SavedDraft | null, DraftEvent>('draft', null, (draft, event) => {
  if (event.type === 'personal.DraftDeleted') return null;
  const { userId, target, editedAt } = event.data;
  const id = event.type === 'personal.DraftSaved' ? idAt(event.position) : (draft?.id ?? 0);
  const text = event.sealed === 'erased' ? null : event.sealed;
  return { id, userId, target, editedAt: editedAt as Instant, text };
});

/**
 * @param present number of drafts of the account. The append must guard it
 * @throws Rejected BAD_REQUEST for more than an account may have
 */
export function saveDrafts(bodies: readonly DraftBody[], userId: UserId, present: number): DraftSaved[] {
  if (present + bodies.length > MAX_DRAFTS) throw reject.tooManyDrafts({ limit: MAX_DRAFTS });
  return bodies.map(({ target, editedAt, content, topic }) =>
    fact(DraftSaved, { userId, target, editedAt }, { content, topic }),
  );
}

/**
 * Replaces a draft. An equal one gives no event.
 *
 * @throws Rejected BAD_REQUEST, like for an unknown draft, for all but its owner
 */
export function editDraft(state: SavedDraft | null, body: DraftBody, userId: UserId): DraftEdited[] {
  const draft = own(state, userId);
  if (isSame(draft, body)) return [];
  const { target, editedAt, content, topic } = body;
  return [fact(DraftEdited, { draftId: draft.id, userId, target, editedAt }, { content, topic })];
}

/** @throws Rejected BAD_REQUEST, like for an unknown draft, for all but its owner */
export const deleteDraft = (state: SavedDraft | null, userId: UserId): DraftDeleted[] => [
  fact(DraftDeleted, { userId, draftId: own(state, userId).id }),
];

/** Ends the synchronization of drafts of an account. @param draftIds all of them. The append must guard them */
export const discardDrafts = (userId: UserId, draftIds: readonly number[]): DraftsDiscarded[] =>
  draftIds.length === 0 ? [] : [fact(DraftsDiscarded, { userId, draftIds: [...draftIds] })];

function own(draft: SavedDraft | null, userId: UserId): SavedDraft {
  if (draft?.userId !== userId) throw reject.noSuchDraft();
  return draft;
}

const isSame = ({ target, editedAt, text }: SavedDraft, body: DraftBody): boolean =>
  text?.content === body.content &&
  text.topic === body.topic &&
  editedAt === body.editedAt &&
  JSON.stringify(target) === JSON.stringify(body.target);
