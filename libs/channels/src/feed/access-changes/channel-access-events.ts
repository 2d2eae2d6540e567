import { readFullMemberChanges } from '@annals/groups';
import type { FeedReader } from '@annals/kernel';
import type { ChannelId, Position, Recorded, Span, UserId } from '@annals/kernel/domain';
import { covers, grouped } from '@annals/kernel/domain';
import { RoleChanged } from '@annals/users';
import type { Reader } from '../../domain/channel/access';
import { seesMetadata } from '../../domain/channel/access';
import type { Channel } from '../../domain/channel/channel';
import { readChannelsAt } from '../channels-at';
import type { RoleChange, AccessChange } from './access-changes';
import { accessChangesByRole } from './access-changes';
import { accessChangesByFullMembers } from './access-changes-by-full-members';
import { isGroupChange, accessChangesByGroups } from './access-changes-by-groups';

/** Channels that became visible or hidden for users, without a change of the channels. */
export interface VisibleChannelsChange {
  readonly users: readonly UserId[];
  readonly gained: readonly ChannelId[];
  readonly lost: readonly ChannelId[];
}

type IsMember = (user: UserId, channel: ChannelId, at: Position) => boolean;

/**
 * The effects of new roles, first logins, waiting periods and group changes on the visibility of channels, by position;
 * users with the same channels together (contract/users.md section 6, groups.md section 4).
 */
export async function visibleChannelsChanges(
  reader: FeedReader,
  events: readonly Recorded[],
): Promise<ReadonlyMap<Position, readonly VisibleChannelsChange[]>> {
  const fullMemberChanges = await readFullMemberChanges(reader, events);
  const roleChanges = events.filter((event): event is RoleChange => event.type === RoleChanged.type);
  const groupChanges = events.filter(isGroupChange);
  if (fullMemberChanges.size + roleChanges.length + groupChanges.length === 0) return new Map();
  const channels = await readChannelsAt(reader, null, events[0]?.position ?? (0 as Position));
  const changes = [
    ...(await accessChangesByRole(reader, roleChanges, channels)),
    ...(await accessChangesByFullMembers(reader, events, fullMemberChanges, channels)),
    ...(await accessChangesByGroups(reader, groupChanges, channels)),
  ];
  const isMember = await membershipsOf(reader, changes);
  const byPosition = new Map<Position, Map<string, { users: UserId[]; gained: ChannelId[]; lost: ChannelId[] }>>();
  for (const change of changes) {
    const { gained, lost } = compare(change, isMember);
    if (gained.length + lost.length === 0) continue;
    const here = byPosition.get(change.on.position) ?? new Map<string, never>();
    byPosition.set(change.on.position, here);
    const key = `${gained.join()} ${lost.join()}`;
    const alike = here.get(key);
    if (alike) alike.users.push(change.after.userId);
    else here.set(key, { users: [change.after.userId], gained, lost });
  }
  return new Map([...byPosition].map(([position, here]) => [position, [...here.values()]]));
}

function compare({ on: { position }, before, after, channels }: AccessChange, isMember: IsMember) {
  const sees = (reader: Reader, channel: Channel) =>
    seesMetadata(channel, reader, isMember(reader.userId, channel.id, position));
  return {
    gained: channels.filter((channel) => sees(after, channel) && !sees(before, channel)).map(({ id }) => id),
    lost: channels.filter((channel) => sees(before, channel) && !sees(after, channel)).map(({ id }) => id),
  };
}

/** @returns whether a user was subscribed, if it may matter to these */
async function membershipsOf({ client, realmId }: FeedReader, changes: readonly AccessChange[]): Promise<IsMember> {
  if (changes.length === 0) return () => false;
  const users = new Set(changes.map(({ after }) => after.userId));
  const channels = new Set(changes.flatMap((change) => change.channels.map(({ id }) => id)));
  const { rows } = await client.query<Span & { key: string }>({
    name: 'channels-memberships-of',
    text: `SELECT user_id || ':' || channel_id AS key, from_position AS from, to_position AS to FROM view.memberships
      WHERE realm_id = $1 AND user_id = ANY($2::int8[]) AND channel_id = ANY($3::int8[])`,
    values: [realmId, [...users], [...channels]],
  });
  const spans = grouped(rows, ({ key }) => key);
  return (user, channel, at) => covers(spans.get(`${user}:${channel}`) ?? [], at);
}
