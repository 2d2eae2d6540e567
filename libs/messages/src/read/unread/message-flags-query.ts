import { READER, readerValues } from '@annals/channels';
import { readMembership } from '@annals/groups';
import type { Actor, GroupId, Instant, MessageId, Position } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { AccessBasis, FlaggedMessage } from './message-flags';
import { flagsOf } from './message-flags';
import { readImplicitReads } from '../history/implicit-reads';
import { CHANGED_CHANNEL_SQL } from '../placement/placement-sql';
import { MAYBE_RETAINED_SQL } from './unread-sql';
import { PLACE_JOIN, RECEIVED_SQL, VISIBLE_SQL } from '../visibility/visibility';

/** A message with the time of its text: a mention of a group means the users who were in it then. */
interface Flagged extends FlaggedMessage {
  readonly text: { readonly position: Position };
  readonly sentAt: Instant;
  readonly editedAt: Instant | null;
}

/** Reads the flags of loaded messages for an account; messages that the account cannot see any more are left out. */
export async function readFlags(
  client: Pool | ClientBase,
  by: Actor,
  { rows }: { readonly rows: ReadonlyMap<MessageId, Flagged> },
): Promise<Map<MessageId, string[]>> {
  const groups = [...rows.values()].flatMap(({ mentions }) => mentions.groupIds);
  const wasIn = await readMembership({ client, realmId: by.realmId }, groups, [by.userId]);
  const states = await readAccessStates(client, by, [...rows.keys()]);
  const doubtful = states.filter(({ maybeRetained, changedChannel }) => maybeRetained && changedChannel);
  const ids = doubtful.map(({ id }) => id);
  const implicitlyReadAt = await readImplicitReads(client, by.realmId, ids, [by.userId]);
  const flags = new Map<MessageId, string[]>();
  for (const { id, basis, maybeRetained } of states) {
    const row = rows.get(id);
    if (!row) continue;
    const isIn = (group: GroupId) =>
      wasIn(group, by.userId, { position: row.text.position, at: row.editedAt ?? row.sentAt });
    const isImplicitlyRead = !maybeRetained || implicitlyReadAt(id, by.userId) !== undefined;
    flags.set(id, flagsOf(row, { userId: by.userId, basis, isImplicitlyRead, isIn }));
  }
  return flags;
}

interface AccessState {
  readonly id: MessageId;
  readonly basis: AccessBasis;
  /** Whether the message may not be implicitly read. */
  readonly maybeRetained: boolean;
  /** Whether the message was moved to another channel: it may have become read on the way. */
  readonly changedChannel: boolean;
}

/** Reads why the account can see these messages; messages that it cannot see are left out. */
async function readAccessStates(
  client: Pool | ClientBase,
  by: Actor,
  ids: readonly MessageId[],
): Promise<AccessState[]> {
  if (ids.length === 0) return [];
  const { rows } = await client.query<AccessState>({
    name: 'messages-access-states',
    text: `SELECT m.message_id AS id, ${MAYBE_RETAINED_SQL} AS "maybeRetained", m.conversation_id IS NULL AND ${CHANGED_CHANNEL_SQL} AS "changedChannel",
        CASE WHEN ${RECEIVED_SQL} THEN 'received' WHEN c.history_public_to_subscribers THEN 'shared-history' ELSE 'granted' END
          AS basis
      FROM ${READER} CROSS JOIN view.messages AS m ${PLACE_JOIN}
      WHERE m.realm_id = $1 AND m.message_id = ANY($6::int8[]) AND ${VISIBLE_SQL}`,
    values: [...readerValues(by), ids],
  });
  return rows;
}
