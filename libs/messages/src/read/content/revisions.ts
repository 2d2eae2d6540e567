import type { Kernel } from '@annals/kernel';
import { feedReader } from '@annals/kernel';
import type { Actor, Instant, Position, UserId } from '@annals/kernel/domain';
import type { VisibleHistory } from '../history/visible-history';
import { readVisibleHistory } from '../history/visible-history';
import type { PlaceHistory } from '../history/place-history';
import { readPlaceHistory } from '../history/place-history';
import type { MessageChange } from './changes';
import { MAX_EDITS_REPORTED, changesOf, latestOf } from './changes';
import type { MessageRow } from './message-row';
import type { Edit, Text } from './texts';
import { readEdits, readTextAt } from './texts';

/** A message as it was from one change to the next. */
export interface Revision {
  readonly by: UserId | null;
  readonly at: Instant;
  /** Null for a direct message. */
  readonly topic: string | null;
  readonly text: Text;
  /** The change before this state. Null for the message as it was sent. */
  readonly change: MessageChange | null;
}

/** All texts of some revisions. */
export const textsOfRevisions = (revisions: readonly Revision[]): Text[] =>
  revisions.flatMap(({ text, change }) => [text, ...(change?.edit ? [change.edit.previous, change.edit.current] : [])]);

/**
 * Reads the states of a message that a reader could read, oldest first: the one in which it was sent, or in which they
 * could read it first, and those of the latest changes (`latestOf`).
 *
 * @returns none if they never could read it
 */
export async function readRevisions({ database, events }: Kernel, by: Actor, row: MessageRow): Promise<Revision[]> {
  const [{ id, topicId }, { realmId }] = [row, by];
  const edits =
    (await readEdits(database.pool, realmId, [id], { most: MAX_EDITS_REPORTED, bytes: null })).get(id) ?? [];
  const moved = row.wasMoved && topicId !== null ? [{ id, topicId }] : [];
  const places = await readPlaceHistory(database.pool, realmId, moved);
  const past = await database.snapshot((client) => readVisibleHistory(feedReader(events, realmId, client), by, [row]));
  const since = past.since(id);
  if (since === null) return [];
  const original = row.editedAt === null ? row.text : await readTextAt(database.pool, realmId, id, since);
  return revisionsOf({ ...row, original: original ?? row.text }, { edits, places, past, since });
}

/** A message in its last state, and its text in the first one that is shown. */
type Revised = Pick<MessageRow, 'id' | 'senderId' | 'sentAt' | 'topic' | 'text'> & { readonly original: Text };

/** What happened to a message up to its last state. */
interface Happened {
  /** Newest first. */
  readonly edits: readonly Edit[];
  readonly places: PlaceHistory;
  readonly past: Pick<VisibleHistory, 'shows'>;
  /** The first position that is shown. */
  readonly since: Position;
}

/** The states of a message from `since` on that its reader could read, oldest first. */
export function revisionsOf({ id, original, ...row }: Revised, { edits, places, past, since }: Happened): Revision[] {
  const changes = latestOf(changesOf(edits, places.moves(id)));
  const sent: Revision = {
    by: row.senderId,
    at: row.sentAt,
    topic: places.at(id, since)?.topic ?? row.topic,
    text: original,
    change: null,
  };
  const first = changes.at(-1);
  let topic = (first && places.at(id, (first.position - 1) as Position)?.topic) ?? row.topic;
  let text = changes.findLast(({ edit }) => edit !== null)?.edit?.previous ?? row.text;
  const revisions = [sent];
  for (const change of [...changes].reverse()) {
    topic = change.move?.to.topic ?? topic;
    text = change.edit?.current ?? text;
    if (past.shows(id, change)) revisions.push({ by: change.by, at: change.at, topic, text, change });
  }
  return revisions;
}
