import type { FeedReader } from '@annals/kernel';
import type { ChannelId, FactOf, GroupId, Position, Recorded, Role, UserId } from '@annals/kernel/domain';
import { allSystemGroups, isFullMember } from '@annals/groups';
import { readRealm } from '@annals/realm';
import { RoleChanged, readUsers } from '@annals/users';
import { seesMetadata } from '../domain/access';
import type { ChannelRow } from '../read/channel-row';
import { CHANNEL_COLUMNS } from '../read/channel-row';

/** Channels that somebody came to know of, or no longer may know of, by getting another role. */
export interface SightChange {
  readonly gained: readonly ChannelId[];
  readonly lost: readonly ChannelId[];
}

type Change = Recorded<FactOf<typeof RoleChanged>>;

/** What each change of a role did to the sight of its account; by position (contract/users.md section 6). */
export async function sightChanges(
  reader: FeedReader,
  events: readonly Recorded[],
): Promise<ReadonlyMap<Position, SightChange>> {
  const changes = events.filter((event): event is Change => event.type === RoleChanged.type && isActive(event));
  if (changes.length === 0) return new Map();
  const channels = await allChannels(reader);
  const memberships = await membershipsOf(
    reader,
    changes.map(({ data }) => data.userId),
  );
  const groupsOf = await groupsByRole(reader, changes);
  return new Map(
    changes.map((change) => {
      const { position, data } = change;
      const sees = (role: Role) => {
        const as = { userId: data.userId, role, groups: groupsOf(change, role) };
        return (channel: ChannelRow) => seesMetadata(channel, as, memberships(data.userId, channel.id, position));
      };
      const [before, after] = [sees(data.from), sees(data.to)];
      const there = channels.filter((channel) => channel.createdPosition < position);
      const gained = there.filter((channel) => after(channel) && !before(channel)).map(({ id }) => id);
      const lost = there.filter((channel) => before(channel) && !after(channel)).map(({ id }) => id);
      return [position, { gained, lost }];
    }),
  );
}

const isActive = (event: Recorded): boolean => (event as Change).data.isActive;

async function allChannels({ client, realmId }: FeedReader): Promise<ChannelRow[]> {
  const { rows } = await client.query<ChannelRow>({
    name: 'channels-all',
    text: `SELECT ${CHANNEL_COLUMNS} FROM view.channels AS c WHERE c.realm_id = $1 ORDER BY c.channel_id`,
    values: [realmId],
  });
  return rows;
}

/** @returns whether an account was subscribed to a channel at a position */
async function membershipsOf({ client, realmId }: FeedReader, users: readonly UserId[]) {
  const { rows } = await client.query<{ key: string; from: Position; to: Position | null }>({
    name: 'channels-memberships-of',
    text: `SELECT user_id || ':' || channel_id AS key, from_position AS from, to_position AS to FROM view.memberships
      WHERE realm_id = $1 AND user_id = ANY($2::int8[])`,
    values: [realmId, users],
  });
  const spans = new Map<string, { from: Position; to: Position | null }[]>();
  for (const { key, ...span } of rows) spans.set(key, [...(spans.get(key) ?? []), span]);
  return (user: UserId, channel: ChannelId, at: Position): boolean =>
    (spans.get(`${user}:${channel}`) ?? []).some(({ from, to }) => from <= at && (to === null || at < to));
}

/** @returns the groups an account is in by a role, at the time of an event */
async function groupsByRole({ client, realmId }: FeedReader, changes: readonly Change[]) {
  const realm = await readRealm(client, realmId);
  if (!realm) throw new Error(`realm ${realmId} does not exist`);
  const users = await readUsers(
    client,
    realmId,
    changes.map(({ data }) => data.userId),
  );
  const joined = new Map(users.map(({ userId, joinedAt }) => [userId, joinedAt]));
  const { systemGroups, settings } = realm;
  return ({ data, at }: Change, role: Role): ReadonlySet<GroupId> => {
    const joinedAt = joined.get(data.userId) ?? at;
    const isFull = isFullMember({ role, joinedAt }, settings.waiting_period_threshold, at);
    return new Set(allSystemGroups(role, isFull).map((name) => systemGroups[name]));
  };
}
