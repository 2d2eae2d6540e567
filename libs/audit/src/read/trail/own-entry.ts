import type { TrailEntry } from './trail-entry';

/**
 * An entry for `/audit/me`. Of what somebody else did it contains only what concerns the reader: of lists of users the
 * reader alone, and no other lists, because their values belong to other users.
 */
export function ownEntry(entry: TrailEntry, reader: number): TrailEntry {
  if (entry.actor?.user_id === reader) return entry;
  return {
    ...entry,
    data: withoutOthers(entry.data, reader),
    subjects: entry.subjects.filter(({ kind, id }) => !PEOPLE.has(kind) || id === reader),
  };
}

/** The same for a guest who may not know all users: the actor is left out, and the sentence names nobody. */
export const guestEntry = (entry: TrailEntry, reader: number, meaning: string): TrailEntry =>
  entry.actor === null || entry.actor.user_id === reader ? entry : { ...entry, actor: null, sentence: meaning };

const PEOPLE: ReadonlySet<string> = new Set(['user', 'person']);

function withoutOthers(value: unknown, reader: number): unknown {
  if (Array.isArray(value)) return value.includes(reader) ? [reader] : [];
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutOthers(one, reader)]));
}
