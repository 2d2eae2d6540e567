import type { Instant, MessageId, Position, UserId } from '@annals/kernel/domain';
import { toggledResolution } from '../../domain/resolving';
import type { PastMove, PlaceHistory } from '../history/place-history';
import type { Edit } from './texts';

/** What one request changed of a message: its text, its place, or both. */
export interface Change {
  readonly by: UserId | null;
  readonly at: Instant;
  readonly position: Position;
  /** From when on the message was as it was right before, as far as that is known; 0 where it was sent so. */
  readonly since: Position;
  /** When the next change came; null where none did. */
  readonly until: Position | null;
  readonly edit: Edit | null;
  readonly move: Pick<PastMove, 'from' | 'to'> | null;
}

export const isTopicChanged = ({ from, to }: Pick<PastMove, 'from' | 'to'>): boolean => from.topic !== to.topic;
export const isChannelChanged = ({ from, to }: Pick<PastMove, 'from' | 'to'>): boolean =>
  from.channelId !== to.channelId;

/** Changes of one message, newest first. */
export function changesOf(edits: readonly Edit[], moves: readonly PastMove[]): Change[] {
  const byCommand = new Map(moves.map((move) => [move.commandId, move]));
  const edited = edits.map((edit): Bare => {
    const move = byCommand.get(edit.commandId) ?? null;
    byCommand.delete(edit.commandId);
    return { by: edit.by, at: edit.at, position: edit.current.position, edit, move };
  });
  const moved = [...byCommand.values()].map((move): Bare => ({ ...move, edit: null, move }));
  const changes = [...edited, ...moved].sort((a, b) => b.position - a.position);
  return changes.map((change, n): Change => {
    // Older edits may not have been read: the text before is at least as old as the event that holds it.
    const since = Math.max(changes[n + 1]?.position ?? 0, change.edit?.previous.position ?? 0) as Position;
    return { ...change, since, until: changes[n - 1]?.position ?? null };
  });
}

type Bare = Omit<Change, 'since' | 'until'>;

/** Most edits that are told of a message. */
export const MAX_EDITS_TOLD = 250;
/** Longest that the texts before them may be together, in code units: a code unit may become eighty of HTML. */
export const MAX_OLD_TEXT = 300_000;

/**
 * The latest of these changes, newest first: as many as can be told without holding up others. The log knows all.
 *
 * @param chars longest that the texts before them may be together
 */
export function latestOf(changes: readonly Change[], chars = MAX_OLD_TEXT): readonly Change[] {
  let edits = 0;
  let length = 0;
  const end = changes.findIndex((change) => {
    if (change.edit === null) return edits >= MAX_EDITS_TOLD;
    edits += 1;
    length += lengthOf([change]);
    return edits > MAX_EDITS_TOLD || length > chars;
  });
  return end < 0 ? changes : changes.slice(0, end);
}

/** How long the texts before these changes are together, in code units. */
export const lengthOf = (changes: readonly Change[]): number =>
  changes.reduce((sum, { edit }) => sum + (edit?.previous.content?.length ?? 0), 0);

/** When the message was last moved other than by resolving its topic or opening it again; null when it never was. */
export function lastMovedAt(message: MessageId, history: PlaceHistory): Instant | null {
  const isReal = (move: PastMove) => isChannelChanged(move) || !toggledResolution(move.from.topic, move.to.topic);
  return history.moves(message).find(isReal)?.at ?? null;
}
