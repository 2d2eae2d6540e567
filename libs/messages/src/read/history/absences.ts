import type { MessageId, Position, RealmId, Span } from '@annals/kernel/domain';
import { grouped, isCurrent } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';

/** The deletion because of which a message is not there now. */
export const absentSince = (absences: readonly Span[] | undefined): Position | undefined =>
  absences?.find(isCurrent)?.from;

/** Reads when messages were absent: from a deletion to the restoration that followed. Those that never were are left out. */
export async function readAbsences(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
): Promise<ReadonlyMap<MessageId, readonly Span[]>> {
  const { rows } = await client.query<Span & { id: MessageId }>({
    name: 'messages-past-deletions',
    text: `SELECT message_id AS id, position AS from, until AS to FROM view.deleted_messages
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
