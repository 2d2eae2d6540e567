import { READER, readerValues } from '@annals/channels';
import { readMembership } from '@annals/groups';
import type { Actor, GroupId, Instant, MessageId, Position } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { AccessBasis, FlaggedMessage } from './message-flags';
import { flagsOf } from './message-flags';
import { CHANGED_CHANNEL_SQL } from '../placement/placement-sql';
import { stillUnread } from './still-unread';
import { MAYBE_UNREAD_SQL } from './unread-sql';
import { PLACE_JOIN, RECEIVED_SQL, VISIBLE_SQL } from '../visibility/visibility';

/** A message with the time of its text: a mention of a group means the users who were in it then. */
interface Flagged extends FlaggedMessage {
  readonly text: { readonly position: Position };
  readonly sentAt: Instant;
  readonly editedAt: Instant | null;
}

/** The flags of messages for an account that can see them. Reads groups only if a text mentions one. */
export async function flagsOfAll(
  client: Pool | ClientBase,
  by: Pick<Actor, 'realmId' | 'userId'>,
  rows: ReadonlyMap<MessageId, Flagged>,
  states: readonly MessageState[],
): Promise<Map<MessageId, string[]>> {
  const groups: GroupId[] = [];
  for (const { mentions } of rows.values()) groups.push(...mentions.groupIds);
  const wasIn = await readMembership({ client, realmId: by.realmId }, groups, [by.userId]);
  const flags = new Map<MessageId, string[]>();
  for (const { id, basis, isRead, isStarred, isCollapsed } of states) {
    const row = rows.get(id);
    if (!row) continue;
    const isIn = (group: GroupId) =>
      wasIn(group, by.userId, { position: row.text.position, at: row.editedAt ?? row.sentAt });
    flags.set(id, flagsOf(row, { userId: by.userId, basis, isRead, isStarred, isCollapsed, isIn }));
  }
  return flags;
}

/** The state of a message for an account that can see it. */
export interface MessageState {
  readonly id: MessageId;
  readonly basis: AccessBasis;
  readonly isRead: boolean;
  readonly isStarred: boolean;
  readonly isCollapsed: boolean;
}

/** Reads the states of messages for an account. Messages that it cannot see are left out. */
export async function readMessageStates(
  client: Pool | ClientBase,
  by: Actor,
  ids: readonly MessageId[],
): Promise<MessageState[]> {
  if (ids.length === 0) return [];
  const { rows } = await client.query<Omit<MessageState, 'isRead'> & { maybeUnread: boolean; changedChannel: boolean }>(
    {
      name: 'messages-states',
      text: `SELECT m.message_id AS id, ${MAYBE_UNREAD_SQL} AS "maybeUnread",
        m.conversation_id IS NULL AND ${CHANGED_CHANNEL_SQL} AS "changedChannel",
        coalesce(o.starred, false) AS "isStarred", coalesce(o.collapsed, false) AS "isCollapsed",
        CASE WHEN ${RECEIVED_SQL} THEN 'received' WHEN c.history_public_to_subscribers THEN 'shared-history' ELSE 'granted' END
          AS basis
      FROM ${READER} CROSS JOIN view.messages AS m ${PLACE_JOIN}
      LEFT JOIN view.personal_flags AS o ON o.realm_id = $1 AND o.user_id = r.user_id AND o.message_id = m.message_id
      WHERE m.realm_id = $1 AND m.message_id = ANY($6::int8[]) AND ${VISIBLE_SQL}`,
      values: [...readerValues(by), ids],
    },
  );
  const doubtful = rows.flatMap(({ id, maybeUnread, changedChannel }) => (maybeUnread && changedChannel ? [id] : []));
  const unread = new Set(await stillUnread(client, by, doubtful));
  return rows.map(({ maybeUnread, changedChannel, ...state }) => ({
    ...state,
    isRead: !maybeUnread || (changedChannel && !unread.has(state.id)),
  }));
}
