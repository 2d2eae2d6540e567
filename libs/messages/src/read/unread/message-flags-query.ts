import { READER, readerValues } from '@annals/channels';
import { readMembership } from '@annals/groups';
import type { Actor, GroupId, Instant, MessageId, Position } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { FlaggedMessage, Having } from './message-flags';
import { flagsOf } from './message-flags';
import { readPartings } from '../history/implicit-reads';
import { TRAVELLED_SQL } from '../placement/placement-sql';
import { STAYED_UNLESS_PARTED } from './unread-sql';
import { PLACE_JOIN, RECEIVED_SQL, VISIBLE_SQL } from '../visibility/visibility';

/** A message with when its text was written, which decides whom a mention of a group means. */
interface Flagged extends FlaggedMessage {
  readonly text: { readonly position: Position };
  readonly sentAt: Instant;
  readonly editedAt: Instant | null;
}

/** Flags of loaded messages for the account that asks; those that it cannot see by now are left out. */
export async function readFlags(
  client: Pool | ClientBase,
  by: Actor,
  { rows }: { readonly rows: ReadonlyMap<MessageId, Flagged> },
): Promise<Map<MessageId, string[]>> {
  const groups = [...rows.values()].flatMap(({ mentions }) => mentions.groupIds);
  const wasIn = await readMembership({ client, realmId: by.realmId }, groups, [by.userId]);
  const had = await readHad(client, by, [...rows.keys()]);
  const doubtful = had.filter(({ stayed, travelled }) => stayed && travelled).map(({ id }) => id);
  const partedAt = await readPartings(client, by.realmId, doubtful, [by.userId]);
  const flags = new Map<MessageId, string[]>();
  for (const { id, having, stayed } of had) {
    const row = rows.get(id);
    if (!row) continue;
    const isIn = (group: GroupId) =>
      wasIn(group, by.userId, { position: row.text.position, at: row.editedAt ?? row.sentAt });
    const hasParted = !stayed || partedAt(id, by.userId) !== undefined;
    flags.set(id, flagsOf(row, { userId: by.userId, having, hasParted, isIn }));
  }
  return flags;
}

interface Had {
  readonly id: MessageId;
  readonly having: Having;
  readonly stayed: boolean;
  /** It went to another channel: the account may have parted from it on the way. */
  readonly travelled: boolean;
}

/** How the account has these messages, as far as it can see them. */
async function readHad(client: Pool | ClientBase, by: Actor, ids: readonly MessageId[]): Promise<Had[]> {
  if (ids.length === 0) return [];
  const { rows } = await client.query<Had>({
    name: 'messages-had',
    text: `SELECT m.message_id AS id, ${STAYED_UNLESS_PARTED} AS stayed, m.conversation_id IS NULL AND ${TRAVELLED_SQL} AS travelled,
        CASE WHEN ${RECEIVED_SQL} THEN 'received' WHEN c.history_public_to_subscribers THEN 'history' ELSE 'gained' END
          AS having
      FROM ${READER} CROSS JOIN view.messages AS m ${PLACE_JOIN}
      WHERE m.realm_id = $1 AND m.message_id = ANY($6::int8[]) AND ${VISIBLE_SQL}`,
    values: [...readerValues(by), ids],
  });
  return rows;
}
