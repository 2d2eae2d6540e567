import type { Recorded, Rejected } from '../domain/index';
import { rejection } from '../domain/index';
import type { EventLog } from '../log/event-log';
import type { Work } from '../work/work';

/** A property of things that an undo changes, with its values before and after the undo. */
export interface UndoChange {
  /** Such as `message:412`. */
  readonly subjects: readonly string[];
  readonly property: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Parts of an act that are left as they are now. */
export interface UndoConflict {
  readonly subjects: readonly string[];
  readonly reason: ConflictReason;
}

/**
 * Why a part of an act is not undone: `changed` since by a later act, the thing is `deleted`, its words are `erased`, the
 * account is `deactivated`, or the actor is not `allowed` to.
 */
export const CONFLICT_REASONS = ['changed', 'deleted', 'erased', 'deactivated', 'not_allowed'] as const;
export type ConflictReason = (typeof CONFLICT_REASONS)[number];

/** One change of things of a kind. None where there are no things. */
export const undoChanges = (
  kind: string,
  ids: readonly number[],
  change: Omit<UndoChange, 'subjects'>,
): readonly UndoChange[] => (ids.length === 0 ? [] : [{ subjects: named(kind, ids), ...change }]);

/** The conflicts of things of a kind. */
export const undoConflicts = (
  kind: string,
  reasons: Partial<Readonly<Record<ConflictReason, readonly number[]>>>,
): readonly UndoConflict[] =>
  CONFLICT_REASONS.flatMap((reason) => {
    const ids = reasons[reason] ?? [];
    return ids.length === 0 ? [] : [{ subjects: named(kind, ids), reason }];
  });

const named = (kind: string, ids: readonly number[]): string[] => ids.map((id) => `${kind}:${id}`);

/** What an undo changes, and what it leaves. */
export interface Undone {
  readonly changes: readonly UndoChange[];
  readonly conflicts: readonly UndoConflict[];
}

/** Undoes acts of one kind. */
export interface Undoer {
  /** The types of events that it undoes. */
  readonly types: readonly string[];
  /**
   * Decides the counterpart of an act within a unit of work, with the rules of doing it by hand.
   *
   * @param event of the act
   * @throws Rejected if the actor may not do the counterpart by hand, or CANNOT_BE_UNDONE
   */
  undo(work: Work, event: Recorded): Promise<Undone>;
}

/** Why an act cannot be undone (contract/audit.md section 11). */
export const UNDO_REFUSALS = {
  not_undoable: 'No such act can be undone.',
  changed_since: 'Everything that the act changed was changed since.',
  erased: 'What the undo needs was erased.',
  too_large: 'The act changed too much to be undone at once.',
} as const;
export type UndoRefusal = keyof typeof UNDO_REFUSALS;

/** @param conflicts the parts of the act, if each of them has a reason of its own */
export const cannotBeUndone = (reason: UndoRefusal, conflicts?: readonly UndoConflict[]): Rejected =>
  rejection<{ reason: UndoRefusal; conflicts?: readonly UndoConflict[] }>(
    'CANNOT_BE_UNDONE',
    UNDO_REFUSALS[reason],
  )({
    reason,
    ...(conflicts && { conflicts }),
  });

/** Events of some types that happened in the stream of an event after it. */
export async function laterEvents(
  events: EventLog,
  { realmId, stream, version }: Recorded,
  types: readonly string[],
): Promise<Recorded[]> {
  const later = await events.stream(realmId, stream, version);
  return later.filter(({ type }) => types.includes(type));
}

/** Events that are read at once to find an append. */
const PAGE = 100;

/** All events that were stored in one append with an event, in order. */
export async function eventsOfAppend(events: EventLog, event: Recorded): Promise<Recorded[]> {
  const { realmId, position, commandId } = event;
  const isSame = (other: Recorded) => other.commandId === commandId;
  const found = [event];
  for (let from = position as number; from > 1;) {
    const after = Math.max(0, from - 1 - PAGE);
    const page = (await events.page(realmId, after, from - 1 - after)).reverse();
    const end = page.findIndex((other) => !isSame(other));
    found.unshift(...page.slice(0, end < 0 ? page.length : end).reverse());
    from = end < 0 ? after + 1 : 0;
  }
  for (let after = position as number; ;) {
    const page = await events.page(realmId, after, PAGE);
    const end = page.findIndex((other) => !isSame(other));
    found.push(...page.slice(0, end < 0 ? page.length : end));
    if (end >= 0 || page.length < PAGE) return found;
    after = page.at(-1)?.position ?? after;
  }
}
