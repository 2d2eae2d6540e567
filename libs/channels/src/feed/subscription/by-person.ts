import type { ChannelId, UserId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';

/** Users with the same channels in one append. */
interface Alike {
  readonly channelIds: readonly ChannelId[];
  readonly users: readonly UserId[];
}

/** The channels of an append by user, so that each receives one event. Users with the same channels share it. */
export function byPerson(
  acts: readonly { readonly data: { readonly channelId: ChannelId; readonly userIds: readonly UserId[] } }[],
): Alike[] {
  const channelsOf = grouped(
    acts.flatMap(({ data: { channelId, userIds } }) => userIds.map((user) => ({ user, channelId }))),
    ({ user }) => user,
    ({ channelId }) => channelId,
  );
  const alike = grouped(channelsOf, ([, channelIds]) => channelIds.join());
  return [...alike.values()].map((people) => ({
    channelIds: people[0]?.[1] ?? [],
    users: people.map(([user]) => user),
  }));
}
