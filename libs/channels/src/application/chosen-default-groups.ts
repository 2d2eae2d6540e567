import type { Work } from '@annals/kernel';
import type { ChannelId } from '@annals/kernel/domain';
import { DEFAULT_GROUPS, channelsOf, defaultGroupsAggregate } from '../domain/default-groups/default-groups';

const NOTHING: ReadonlySet<ChannelId> = new Set();

/** The channels of groups of default channels. Null if one of the groups does not exist. The append depends on the groups. */
export async function channelsOfDefaultGroups(
  work: Work,
  groupIds: readonly number[],
): Promise<ReadonlySet<ChannelId> | null> {
  return groupIds.length === 0
    ? NOTHING
    : channelsOf(await work.read(defaultGroupsAggregate, DEFAULT_GROUPS), groupIds);
}
