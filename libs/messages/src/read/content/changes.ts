import type { Instant, MessageId, Position, UserId } from '@annals/kernel/domain';
import { toggledResolution } from '../../domain/move/resolving';
import type { PastMove, PlaceHistory } from '../history/place-history';
import type { Edit } from './texts';

/** A change of a message by one request: of its text, its place, or both. */
export interface MessageChange {
  readonly by: UserId | null;
  readonly at: Instant;
  readonly position: Position;
  /** Position from which on the message was as right before the change, as far as known; 0 if it was sent so. */
  readonly since: Position;
  /** Position of the next change; null where there is none. */
  readonly until: Position | null;
  readonly edit: Edit | null;
  readonly move: Pick<PastMove, 'from' | 'to'> | null;
}

export const isTopicChanged = ({ from, to }: Pick<PastMove, 'from' | 'to'>): boolean => from.topic !== to.topic;
export const isChannelChanged = ({ from, to }: Pick<PastMove, 'from' | 'to'>): boolean =>
  from.channelId !== to.channelId;

/** Changes of one message, newest first. */
export function changesOf(edits: readonly Edit[], moves: readonly PastMove[]): MessageChange[] {
  const byCommand = new Map(moves.map((move) => [move.commandId, move]));
  const edited = edits.map((edit): UntimedChange => {
    const move = byCommand.get(edit.commandId) ?? null;
    byCommand.delete(edit.commandId);
    return { by: edit.by, at: edit.at, position: edit.current.position, edit, move };
  });
  const moved = [...byCommand.values()].map((move): UntimedChange => ({ ...move, edit: null, move }));
  const changes = [...edited, ...moved].sort((a, b) => b.position - a.position);
  return changes.map((change, n): MessageChange => {
    // Older edits may not have been read. The text before is at least as old as the event that contains it.
    const since = Math.max(changes[n + 1]?.position ?? 0, change.edit?.previous.position ?? 0) as Position;
    return { ...change, since, until: changes[n - 1]?.position ?? null };
  });
}

type UntimedChange = Omit<MessageChange, 'since' | 'until'>;

/** Maximum of edits in the history of a message. */
export const MAX_EDITS_REPORTED = 250;
/** Maximum length of their previous texts together, in code units; one may become eighty of HTML. */
export const MAX_PREVIOUS_TEXT = 300_000;

/**
 * The latest of the changes, newest first: as many as can be answered without delaying other requests. The log has all of them.
 *
 * @param chars maximum length of their previous texts together, in code units
 */
export function latestOf(changes: readonly MessageChange[], chars = MAX_PREVIOUS_TEXT): readonly MessageChange[] {
  let edits = 0;
  let length = 0;
  const end = changes.findIndex((change) => {
    if (change.edit === null) return edits >= MAX_EDITS_REPORTED;
    edits += 1;
    length += textLengthOf([change]);
    return edits > MAX_EDITS_REPORTED || length > chars;
  });
  return end < 0 ? changes : changes.slice(0, end);
}

/** Length of the previous texts of the changes together, in code units. */
export const textLengthOf = (changes: readonly MessageChange[]): number =>
  changes.reduce((sum, { edit }) => sum + (edit?.previous.content?.length ?? 0), 0);

/** When the message was last moved, not counting that its topic was resolved or unresolved; null if never. */
export function lastMovedAt(message: MessageId, history: PlaceHistory): Instant | null {
  const isReal = (move: PastMove) => isChannelChanged(move) || !toggledResolution(move.from.topic, move.to.topic);
  return history.moves(message).find(isReal)?.at ?? null;
}
