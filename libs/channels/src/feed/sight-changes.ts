import type { FeedReader } from '@annals/kernel';
import type { ChannelId, Position, Recorded, UserId } from '@annals/kernel/domain';
import type { Reader } from '../domain/access';
import { seesMetadata } from '../domain/access';
import type { Channel } from '../domain/channel';
import { channelsAt, readChannelsAt } from './channels-at';
import type { Turn } from './turns';
import { turnsByRole } from './turns';
import { isGroupChange, turnsByGroups } from './turns-by-groups';

/** Channels that people came to know of, or no longer may know of, without anything happening to the channels. */
export interface SightChange {
  readonly users: readonly UserId[];
  readonly gained: readonly ChannelId[];
  readonly lost: readonly ChannelId[];
}

type IsMember = (user: UserId, channel: ChannelId, at: Position) => boolean;

/**
 * What changed roles, first logins, other waiting periods and changed groups did to the sight of channels; by position,
 * people with the same channels together (contract/users.md section 6, groups.md section 4).
 */
export async function sightChanges(
  reader: FeedReader,
  events: readonly Recorded[],
): Promise<ReadonlyMap<Position, readonly SightChange[]>> {
  const byRole = await turnsByRole(reader, events);
  const groupChanges = events.filter(isGroupChange);
  if (byRole.length + groupChanges.length === 0) return new Map();
  const channels = await readChannelsAt(reader, null, events[0]?.position ?? (0 as Position));
  const turns = [...byRole, ...(await turnsByGroups(reader, groupChanges, channels))];
  const isMember = await membershipsOf(reader, [...new Set(turns.map(({ after }) => after.userId))]);
  const changes = new Map<Position, Map<string, { users: UserId[]; gained: ChannelId[]; lost: ChannelId[] }>>();
  for (const turn of turns) {
    const { gained, lost } = compare(turn, turn.channels ?? channelsAt(channels, turn.on.position), isMember);
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

function compare({ on: { position }, before, after }: Turn, channels: readonly Channel[], isMember: IsMember) {
  const sees = (reader: Reader, channel: Channel) =>
    seesMetadata(channel, reader, isMember(reader.userId, channel.id, position));
  return {
    gained: channels.filter((channel) => sees(after, channel) && !sees(before, channel)).map(({ id }) => id),
    lost: channels.filter((channel) => sees(before, channel) && !sees(after, channel)).map(({ id }) => id),
  };
}

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
