import type { MessageId, Position, RealmId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';

/** From a deletion to the restoration that followed, if any, a message was not there. */
export interface Absence {
  /** Position of the deletion. */
  readonly from: Position;
  /** Position of the restoration; null while the message is deleted. */
  readonly until: Position | null;
}

/** Whether a message was deleted right after the event at a position. */
export const wasAbsent = (absences: readonly Absence[] | undefined, position: number): boolean =>
  absences?.some(({ from, until }) => from <= position && position < (until ?? Infinity)) ?? false;

/** The deletion because of which a message is not there now. */
export const absentSince = (absences: readonly Absence[] | undefined): Position | undefined =>
  absences?.find(({ until }) => until === null)?.from;

/** Reads when messages were deleted, and restored. Those that never were are left out. */
export async function readAbsences(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
): Promise<ReadonlyMap<MessageId, readonly Absence[]>> {
  const { rows } = await client.query<Absence & { id: MessageId }>({
    name: 'messages-past-deletions',
    text: `SELECT message_id AS id, position AS from, until FROM view.deleted_messages
        WHERE realm_id = $1 AND message_id = ANY($2::int8[])
      UNION ALL SELECT message_id, position, until FROM view.deleted_direct_messages
        WHERE realm_id = $1 AND message_id = ANY($2::int8[])`,
    values: [realmId, ids],
  });
  return grouped(rows, ({ id }) => id);
}

/** Reads when messages were deleted that are not there now. */
export async function readDeletions(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
): Promise<ReadonlyMap<MessageId, Position>> {
  const absences = await readAbsences(client, realmId, ids);
  return new Map(
    [...absences].flatMap(([id, those]) => {
      const since = absentSince(those);
      return since === undefined ? [] : [[id, since] as const];
    }),
  );
}
