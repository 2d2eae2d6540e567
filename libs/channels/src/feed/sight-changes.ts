import type { GroupHistory, Moment } from '@annals/groups';
import { readGroupHistory, readRegroupings } from '@annals/groups';
import type { FeedReader } from '@annals/kernel';
import type { ChannelId, FactOf, GroupId, Position, Recorded, UserId } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import { RoleChanged } from '@annals/users';
import type { Reader } from '../domain/access';
import { seesMetadata } from '../domain/access';
import type { Channel } from '../domain/channel';
import { readChannelsAt } from './channels-at';

/** Channels that people came to know of, or no longer may know of, without anything happening to the channels. */
export interface SightChange {
  readonly users: readonly UserId[];
  readonly gained: readonly ChannelId[];
  readonly lost: readonly ChannelId[];
}

/** Somebody before and after an event that changed who they are. */
interface Turn {
  readonly on: Moment;
  readonly before: Reader;
  readonly after: Reader;
}

type RoleChange = Recorded<FactOf<typeof RoleChanged>>;
type IsMember = (user: UserId, channel: ChannelId, at: Position) => boolean;

/**
 * What changed roles, first logins and other waiting periods did to the sight of channels; by position, people with the
 * same channels together (contract/users.md section 6, groups.md section 4).
 */
export async function sightChanges(
  reader: FeedReader,
  events: readonly Recorded[],
): Promise<ReadonlyMap<Position, readonly SightChange[]>> {
  const turns = await turnsOf(reader, events);
  if (turns.length === 0) return new Map();
  const channels = await readChannelsAt(reader, null, events[0]?.position ?? (0 as Position));
  const isMember = await membershipsOf(reader, [...new Set(turns.map(({ after }) => after.userId))]);
  const changes = new Map<Position, Map<string, { users: UserId[]; gained: ChannelId[]; lost: ChannelId[] }>>();
  for (const turn of turns) {
    const { gained, lost } = compare(turn, channels, isMember);
    if (gained.length + lost.length === 0) continue;
    const here = changes.get(turn.on.position) ?? new Map<string, never>();
    changes.set(turn.on.position, here);
    const key = `${gained.join()} ${lost.join()}`;
    const alike = here.get(key);
    if (alike) alike.users.push(turn.after.userId);
    else here.set(key, { users: [turn.after.userId], gained, lost });
  }
  return new Map([...changes].map(([position, here]) => [position, [...here.values()]]));
}

type Channels = Awaited<ReturnType<typeof readChannelsAt>>;

function compare({ on: { position }, before, after }: Turn, channels: Channels, isMember: IsMember) {
  const there = channels.ids.flatMap((id) => channels.at(id, position) ?? []);
  const sees = (reader: Reader, channel: Channel) =>
    seesMetadata(channel, reader, isMember(reader.userId, channel.id, position));
  return {
    gained: there.filter((channel) => sees(after, channel) && !sees(before, channel)).map(({ id }) => id),
    lost: there.filter((channel) => sees(before, channel) && !sees(after, channel)).map(({ id }) => id),
  };
}

async function turnsOf(reader: FeedReader, events: readonly Recorded[]): Promise<Turn[]> {
  const roles = events.filter((event): event is RoleChange => event.type === RoleChanged.type);
  const active = roles.filter(({ data }) => data.isActive);
  const regroupings = await readRegroupings(reader, events);
  const people = [...regroupings.values()].flatMap(({ became, ceased }) => [...became, ...ceased]);
  const users = [...active.map(({ data }) => data.userId), ...people];
  if (users.length === 0) return [];
  const history = await readGroupHistory(reader, users);
  const regrouped = events.flatMap((on) => {
    const { became, ceased } = regroupings.get(on.position) ?? { became: [], ceased: [] };
    const { fullmembers } = history.systemGroups;
    return [
      ...became.map((user) => turnFull(on, user, history, fullmembers)),
      ...ceased.map((user) => reversed(turnFull(on, user, history, fullmembers))),
    ];
  });
  return [...active.map((event) => turnOfRole(event, history)), ...regrouped];
}

function turnOfRole(on: RoleChange, history: GroupHistory): Turn {
  const { userId, from, to } = on.data;
  const as = (role: Role): Reader => ({ userId, role, groups: history.groupsOf({ userId, role }, on) });
  return { on, before: as(from), after: as(to) };
}

/** A member becomes a full member. */
function turnFull(on: Moment, userId: UserId, history: GroupHistory, fullmembers: GroupId): Turn {
  const groups = history.groupsOf({ userId, role: Role.member }, on);
  const others = new Set([...groups].filter((group) => group !== fullmembers));
  const as = (some: ReadonlySet<GroupId>): Reader => ({ userId, role: Role.member, groups: some });
  return { on, before: as(others), after: as(new Set([...others, fullmembers])) };
}

const reversed = ({ on, before, after }: Turn): Turn => ({ on, before: after, after: before });

/** @returns whether an account was subscribed to a channel at a position */
async function membershipsOf({ client, realmId }: FeedReader, users: readonly UserId[]): Promise<IsMember> {
  const { rows } = await client.query<{ key: string; from: Position; to: Position | null }>({
    name: 'channels-memberships-of',
    text: `SELECT user_id || ':' || channel_id AS key, from_position AS from, to_position AS to FROM view.memberships
      WHERE realm_id = $1 AND user_id = ANY($2::int8[])`,
    values: [realmId, users],
  });
  const spans = new Map<string, { from: Position; to: Position | null }[]>();
  for (const { key, ...span } of rows) {
    const known = spans.get(key);
    if (known) known.push(span);
    else spans.set(key, [span]);
  }
  return (user, channel, at) =>
    (spans.get(`${user}:${channel}`) ?? []).some(({ from, to }) => from <= at && (to === null || at < to));
}
