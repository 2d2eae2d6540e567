import type { GroupId, Position, RealmId, Role, Span, UserId } from '@annals/kernel/domain';
import { ascending, contains, grouped } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { Edge } from '../domain/nesting';
import { Nesting } from '../domain/nesting';

/** The place where the history of an organization is read. */
export interface HistoryReader {
  readonly realmId: RealmId;
  readonly client: Pool | ClientBase;
}

/** Which groups contained which, right after the event at a position. */
export async function readNestingHistory({ client, realmId }: HistoryReader): Promise<(at: Position) => Nesting> {
  const { rows } = await client.query<Span & { group: GroupId; subgroup: GroupId }>({
    name: 'groups-subgroup-spans',
    text: `SELECT group_id AS group, subgroup_id AS subgroup, from_position AS from, to_position AS to
      FROM view.group_subgroups WHERE realm_id = $1`,
    values: [realmId],
  });
  const boundaries = ascending(new Set(rows.flatMap(({ from, to }) => (to === null ? [from] : [from, to]))));
  const edgesAt = (at: Position) =>
    rows.filter((span) => contains(span, at)).map(({ group, subgroup }): Edge => [group, subgroup]);
  const kept = new Map<Position, Nesting>();
  return (at) => {
    const since = boundaries.findLast((boundary) => boundary <= at) ?? (0 as Position);
    const nesting = kept.get(since) ?? new Nesting(edgesAt(since));
    kept.set(since, nesting);
    return nesting;
  };
}

/**
 * The direct groups of a user without system groups, ascending, right after the event at a position.
 *
 * @param users the users of later queries. Null for all
 */
export async function readDirectHistory(
  { client, realmId }: HistoryReader,
  users: readonly UserId[] | null,
): Promise<(user: UserId, at: Position) => readonly GroupId[]> {
  const { rows } = await client.query<Span & { user: UserId; group: GroupId }>({
    name: 'groups-member-history',
    text: `SELECT user_id AS user, group_id AS group, from_position AS from, to_position AS to
      FROM view.group_members WHERE realm_id = $1 AND ($2::int4[] IS NULL OR user_id = ANY($2)) ORDER BY group_id`,
    values: [realmId, users],
  });
  const spans = grouped(rows, ({ user }) => user);
  return (user, at) => (spans.get(user) ?? []).filter((span) => contains(span, at)).map(({ group }) => group);
}

/**
 * The role of an active account right after the event at a position. Null if there was none.
 *
 * @param users the users of later queries. Null for all
 */
export async function readRoleHistory(
  { client, realmId }: HistoryReader,
  users: readonly UserId[] | null,
): Promise<(user: UserId, at: Position) => Role | null> {
  const { rows } = await client.query<Span & { user: UserId; role: Role }>({
    name: 'groups-role-history',
    text: `SELECT user_id AS user, role, from_position AS from, to_position AS to FROM view.account_spans
      WHERE realm_id = $1 AND is_active AND ($2::int8[] IS NULL OR user_id = ANY($2))`,
    values: [realmId, users],
  });
  const spans = grouped(rows, ({ user }) => user);
  return (user, at) => spans.get(user)?.find((span) => contains(span, at))?.role ?? null;
}
