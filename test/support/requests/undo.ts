import type { UndoChange, UndoConflict } from '@annals/kernel';
import type { TrailEntry } from '../../../libs/audit/src/read/trail/trail-entry';
import { granted } from '../server/caller';
import type { Person } from '../server/organization';

/** The answer to an undo. */
export interface UndoAnswer {
  readonly changes: readonly UndoChange[];
  readonly conflicts: readonly UndoConflict[];
  readonly positions?: readonly number[];
}

export const undo = (by: Person, position: number, dry_run?: boolean) =>
  by.post<UndoAnswer>('/audit/undo', { position, dry_run });

/** A dry run and then the undo, which must do what the dry run said. @throws Error when one is refused */
export async function undone(by: Person, position: number): Promise<UndoAnswer> {
  const { changes, conflicts } = granted(await undo(by, position, true));
  const real = granted(await undo(by, position));
  expect(real).toMatchObject({ changes, conflicts });
  return real;
}

/** The newest events of these types, newest first. @param by an auditor */
export const newestEvents = async (by: Person, types: readonly string[], limit = 1): Promise<readonly TrailEntry[]> =>
  granted(await by.get<{ events: TrailEntry[] }>('/audit/events', { types, limit })).events;

/** The position of the newest event of a type. */
export async function newest(by: Person, type: string): Promise<number> {
  const [event] = await newestEvents(by, [type]);
  if (!event) throw new Error(`no event has the type ${type}`);
  return event.position;
}
