import type { RealmId, Recorded, Subject } from '../domain/index';
import type { StoredEvent } from '../log/encoding/registry';
import type { EventLog } from '../log/event-log';
import { subjectKey } from '../log/subjects/events-about';

const PAGE = 2_000;

/** A part of the log of a realm. */
export interface LogSelection {
  readonly realmId: RealmId;
  /** All events are after this position … */
  readonly after: number;
  /** … and none is after this one. */
  readonly upTo: number;
  /** Names of types; `messages.*` is a prefix. Empty: all types. */
  readonly types: readonly string[];
  /** Only events about this thing. */
  readonly subject: Subject | null;
}

/** A page of the log, and the events in it that belong to a selection. */
export interface SelectedPage {
  readonly events: readonly StoredEvent[];
  /** Position up to which the log was read. */
  readonly position: number;
}

/** Whether a selection has every event of its positions. */
export const isComplete = ({ types, subject }: LogSelection): boolean => types.length === 0 && subject === null;

/** Whether a type has a name, or one that begins like `messages.*`. */
export const isOfType = (type: string, pattern: string): boolean =>
  pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;

/** The selected events in order, in pages, as they are stored. A page may be empty. */
export async function* selectedPages(log: EventLog, selection: LogSelection): AsyncGenerator<SelectedPage> {
  const matches = matcher(log, selection);
  for (let after = selection.after; after < selection.upTo;) {
    const page = await log.storedPage(selection.realmId, after, Math.min(PAGE, selection.upTo - after));
    const last = page.at(-1);
    if (!last) return;
    after = last.position;
    yield { events: page.filter(matches), position: after };
  }
}

function matcher({ registry }: EventLog, { types, subject }: LogSelection): (event: StoredEvent) => boolean {
  const ofType = (type: string) => types.length === 0 || types.some((pattern) => isOfType(type, pattern));
  const wanted = subject && subjectKey(subject);
  const isAbout = (event: StoredEvent) => {
    if (wanted === null) return true;
    const { type, data, position }: Recorded = registry.decodeKnown(event);
    return (
      registry.types.includes(type) &&
      registry
        .definition(type)
        .subjects(data, position)
        .some((one) => subjectKey(one) === wanted)
    );
  };
  return (event) => ofType(event.type) && isAbout(event);
}
