import type { GroupId, Instant, LogPoint, Position, Role, Span, UserId } from '@annals/kernel/domain';
import { Role as Roles } from '@annals/kernel/domain';
import type { SystemGroups } from '@annals/realm';
import { RealmCreated, RealmSettingsChanged, readRealm } from '@annals/realm';
import { readAllUsers, readUsers } from '@annals/users';
import type { Nesting } from '../domain/nesting';
import { allSystemGroups, isFullMember } from '../domain/system-groups';
import type { HistoryReader } from './spans';
import { readDirectHistory, readNestingHistory } from './spans';

/** An account, and the role for which its memberships are computed. */
interface Holder {
  readonly userId: UserId;
  readonly role: Role;
}

/** Group memberships at any position: by role, waiting period and time, and by changes of groups. */
export interface GroupHistory {
  /** Existing users among the requested ones, without the server's own accounts. */
  readonly users: readonly UserId[];
  readonly systemGroups: SystemGroups;
  readonly isFull: (holder: Holder, on: LogPoint) => boolean;
  /** All groups, also through subgroups. None for the server's own accounts. */
  readonly groupsOf: (holder: Holder, on: LogPoint) => ReadonlySet<GroupId>;
  /** The groups, created by users, that the account was directly in, ascending. */
  readonly directlyWith: (user: UserId, on: LogPoint) => readonly GroupId[];
  /** Which groups contained which. */
  readonly nesting: (on: LogPoint) => Nesting;
}

/** Days until a member counts as a full member, with the position from which they hold. Ascending. */
export type WaitingPeriods = readonly { readonly from: Position; readonly days: number }[];

const NO_GROUPS: ReadonlySet<GroupId> = new Set();

/** @param users the users of later queries, all others count as unknown. Null for all */
export async function readGroupHistory(reader: HistoryReader, users: readonly UserId[] | null): Promise<GroupHistory> {
  const { client, realmId } = reader;
  const realm = await readRealm(client, realmId);
  if (!realm) throw new Error(`realm ${realmId} does not exist`);
  const { systemGroups } = realm;
  const periods = await readWaitingPeriods(reader);
  const people = users ? readUsers(client, realmId, [...new Set(users)]) : readAllUsers(client, realmId);
  const known = new Map((await people).map((user) => [user.userId, user]));
  const direct = await readDirectHistory(reader, users);
  const nestingAt = await readNestingHistory(reader);
  const isFull: GroupHistory['isFull'] = ({ userId, role }, on) => {
    const user = known.get(userId);
    const joinedAt = user ? joinedBy(on.at, user) : on.at;
    return isFullMember({ role, joinedAt }, waitingPeriodAt(periods, on.position), on.at);
  };
  const directlyWith: GroupHistory['directlyWith'] = (user, on) => direct(user, on.position);
  return {
    users: [...known.values()].filter(({ isSystemBot }) => !isSystemBot).map(({ userId }) => userId),
    systemGroups,
    isFull,
    directlyWith,
    nesting: ({ position }) => nestingAt(position),
    groupsOf: (holder, on) => {
      const user = known.get(holder.userId);
      if (!user || user.isSystemBot) return NO_GROUPS;
      const byRole = allSystemGroups(holder.role, isFull(holder, on)).map((name) => systemGroups[name]);
      return nestingAt(on.position).reachedFrom([...byRole, ...directlyWith(holder.userId, on)]);
    },
  };
}

interface Joining {
  readonly createdAt: Instant;
  readonly joinedAt: Instant;
}

/** For a user with a later first login, the time before counts from the creation of their account. */
export const joinedBy = (at: Instant, { createdAt, joinedAt }: Joining): Instant =>
  joinedAt > at ? createdAt : joinedAt;

export const waitingPeriodAt = (periods: WaitingPeriods, position: Position): number =>
  periods.findLast(({ from }) => from <= position)?.days ?? 0;

/**
 * From the log itself: the present value may be newer than the events in question. The order of versions is that of positions, and
 * has the index of the stream. For the order of positions PostgreSQL may read the whole log.
 */
export async function readWaitingPeriods({ client, realmId }: HistoryReader): Promise<WaitingPeriods> {
  const { rows } = await client.query<{ from: Position; days: number }>({
    name: 'groups-waiting-periods',
    text: `SELECT position AS from, (data->'settings'->>'waiting_period_threshold')::int4 AS days FROM events
      WHERE realm_id = $1 AND stream = 'realm' AND type = ANY($2::text[])
        AND data->'settings'->>'waiting_period_threshold' IS NOT NULL ORDER BY version`,
    values: [realmId, [RealmCreated.type, RealmSettingsChanged.type]],
  });
  return rows;
}

/** A member of the organization during a stretch of the log. */
export interface MemberSpan extends Joining, Span {
  readonly userId: UserId;
}

/**
 * Active accounts while they had the role of a member.
 *
 * @param users only these. Null for all
 * @param joinedAfter only those who joined later
 */
export async function readMemberSpans(
  { client, realmId }: HistoryReader,
  users: readonly UserId[] | null,
  joinedAfter: Instant,
): Promise<readonly MemberSpan[]> {
  const { rows } = await client.query<MemberSpan>({
    name: 'groups-member-spans',
    text: `SELECT s.user_id AS "userId", u.created_at AS "createdAt", u.joined_at AS "joinedAt",
        s.from_position AS from, s.to_position AS to
      FROM view.account_spans s JOIN view.users u ON u.realm_id = s.realm_id AND u.user_id = s.user_id
      WHERE s.realm_id = $1 AND s.is_active AND s.role = $3 AND ($2::int8[] IS NULL OR s.user_id = ANY($2))
        AND u.joined_at > $4
      ORDER BY s.user_id, s.from_position`,
    values: [realmId, users, Roles.member, joinedAfter],
  });
  return rows;
}
