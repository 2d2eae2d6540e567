import type { ChannelId, UserId } from '@annals/kernel/domain';

/** People to whom the same channels happened. */
interface Alike {
  readonly channelIds: readonly ChannelId[];
  readonly users: readonly UserId[];
}

/** The channels of an act by person, so that each is told once; people with the same ones share it. */
export function byPerson(
  acts: readonly { readonly data: { readonly channelId: ChannelId; readonly userIds: readonly UserId[] } }[],
): Alike[] {
  const channelsOf = new Map<UserId, ChannelId[]>();
  for (const { data } of acts) {
    for (const user of data.userIds) {
      const channels = channelsOf.get(user);
      if (channels) channels.push(data.channelId);
      else channelsOf.set(user, [data.channelId]);
    }
  }
  const alike = new Map<string, { channelIds: ChannelId[]; users: UserId[] }>();
  for (const [user, channelIds] of channelsOf) {
    const key = channelIds.join();
    const group = alike.get(key);
    if (group) group.users.push(user);
    else alike.set(key, { channelIds, users: [user] });
  }
  return [...alike.values()];
}
