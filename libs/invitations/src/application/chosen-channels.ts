import { channelsOfDefaultGroups } from '@annals/channels';
import type { Work } from '@annals/kernel';
import type { Actor, ChannelId } from '@annals/kernel/domain';
import { isGuest } from '@annals/kernel/domain';
import { reject } from '../domain/rejections';

/**
 * The channels of what somebody chose. The append depends on the groups.
 *
 * @throws Rejected BAD_REQUEST for a group that is not offered to them
 */
export async function chosenChannels(
  work: Work,
  groupIds: readonly number[],
  person: Pick<Actor, 'role'>,
): Promise<ReadonlySet<ChannelId>> {
  const channels = await channelsOfDefaultGroups(work, groupIds);
  if (channels === null || (groupIds.length > 0 && isGuest(person))) throw reject.unknownChannelGroup();
  return channels;
}
