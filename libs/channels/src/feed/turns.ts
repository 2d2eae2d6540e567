import type { GroupHistory, Moment } from '@annals/groups';
import { readGroupHistory, readRegroupings } from '@annals/groups';
import type { FeedReader } from '@annals/kernel';
import type { FactOf, GroupId, Recorded, UserId } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import { RoleChanged } from '@annals/users';
import type { Reader } from '../domain/access';
import type { Channel } from '../domain/channel';

/** Somebody before and after an event that changed who they are. */
export interface Turn {
  readonly on: Moment;
  readonly before: Reader;
  readonly after: Reader;
  /** Those whose sight the event may have changed; left out for all. */
  readonly channels?: readonly Channel[];
}

type RoleChange = Recorded<FactOf<typeof RoleChanged>>;

/** Those whom a changed role, a first login or another waiting period made somebody else. */
export async function turnsByRole(reader: FeedReader, events: readonly Recorded[]): Promise<Turn[]> {
  const roles = events.filter((event): event is RoleChange => event.type === RoleChanged.type);
  const active = roles.filter(({ data }) => data.isActive);
  const regroupings = await readRegroupings(reader, events);
  const people = [...regroupings.values()].flatMap(({ became, ceased }) => [...became, ...ceased]);
  const users = [...active.map(({ data }) => data.userId), ...people];
  if (users.length === 0) return [];
  const history = await readGroupHistory(reader, users);
  const regrouped = events.flatMap((on) => {
    const { became, ceased } = regroupings.get(on.position) ?? { became: [], ceased: [] };
    return [
      ...became.map((user) => turnFull(on, user, history)),
      ...ceased.map((user) => reversed(turnFull(on, user, history))),
    ];
  });
  return [...active.map((event) => turnOfRole(event, history)), ...regrouped];
}

function turnOfRole(on: RoleChange, history: GroupHistory): Turn {
  const { userId, from, to } = on.data;
  const as = (role: Role): Reader => ({ userId, role, groups: history.groupsOf({ userId, role }, on) });
  return { on, before: as(from), after: as(to) };
}

/** A member becomes a full member, and enters what full members are in. */
function turnFull(on: Moment, userId: UserId, history: GroupHistory): Turn {
  const { fullmembers, members } = history.systemGroups;
  const nesting = history.nesting(on);
  const others = [members, ...history.directlyWith(userId, on)];
  const as = (direct: readonly GroupId[]): Reader => ({
    userId,
    role: Role.member,
    groups: nesting.reachedFrom(direct),
  });
  return { on, before: as(others), after: as([fullmembers, ...others]) };
}

const reversed = ({ on, before, after }: Turn): Turn => ({ on, before: after, after: before });
