import type { Instant, MessageId, Position, RealmId, TopicId } from '@annals/kernel/domain';
import type { RealmSettings } from '@annals/realm';
import type { ClientBase, Pool } from 'pg';
import type { PlaceHistory } from '../history/place-history';
import type { MessageChange } from './changes';
import { MAX_EDITS_REPORTED, MAX_PREVIOUS_TEXT, changesOf, lastMovedAt, latestOf, textLengthOf } from './changes';
import type { LoadedMessages, MessageRow } from './message-row';
import type { Text } from './texts';
import { readEdits } from './texts';

/** Which changes of messages an organization shows. */
export type HistoryPolicy = RealmSettings['message_edit_history_visibility_policy'];

/** The texts of messages, present and previous ones. */
export const textsOf = (
  rows: readonly Pick<MessageRow, 'text'>[],
  changes: ReadonlyMap<MessageId, readonly MessageChange[]>,
): Text[] => [
  ...rows.map(({ text }) => text),
  ...[...changes.values()].flat().flatMap(({ edit }) => (edit ? [edit.previous] : [])),
];

/** Messages as they were sent have no changes. */
export const NO_CHANGES = { changes: new Map<never, never>(), movedAt: new Map<never, never>() };

/** Whether a message was moved, or its topic renamed, since it was sent. */
export const isMoved = (row: MessageRow): row is MessageRow & { readonly topicId: TopicId } =>
  row.wasMoved && row.topicId !== null;

/** Maximum length of the previous texts of a page together, in code units; those of the newest messages come first. */
const MAX_PAGE_PREVIOUS_TEXT = 2_000_000;
/** Maximum of bytes that are read from the log for them, present texts included. */
const MAX_PAGE_BYTES = 8_000_000;

/**
 * The changes of messages that the organization shows (contract/messages.md section 5.5, permissions.md section 5).
 *
 * @param history up to the same position
 * @param until only edits up to this position. Null for all
 */
export async function readChanges(
  client: Pool | ClientBase,
  realmId: RealmId,
  rows: readonly MessageRow[],
  history: PlaceHistory,
  policy: HistoryPolicy,
  until: Position | null = null,
): Promise<Pick<LoadedMessages, 'changes' | 'movedAt'>> {
  const edited = policy === 'all' ? rows.filter(({ editedAt }) => editedAt !== null) : [];
  const edits = await readEdits(
    client,
    realmId,
    edited.map(({ id }) => id),
    { most: MAX_EDITS_REPORTED, bytes: MAX_PAGE_BYTES, until },
  );
  const changes = new Map<MessageId, readonly MessageChange[]>();
  const movedAt = new Map<MessageId, Instant>();
  let room = MAX_PAGE_PREVIOUS_TEXT;
  const changed = rows.filter((row) => row.editedAt !== null || isMoved(row));
  for (const { id } of changed.sort((a, b) => b.id - a.id)) {
    const all = policy === 'none' ? [] : changesOf(edits.get(id) ?? [], history.moves(id));
    const found = latestOf(all, Math.min(room, MAX_PREVIOUS_TEXT));
    room -= textLengthOf(found);
    if (found.length > 0) changes.set(id, found);
    const at = lastMovedAt(id, history);
    if (at !== null) movedAt.set(id, at);
  }
  return { changes, movedAt };
}
