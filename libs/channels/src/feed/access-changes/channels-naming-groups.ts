import type { GroupId, GroupSetting } from '@annals/kernel/domain';
import type { Channel } from '../../domain/channel/channel';

/** Settings that make a private channel visible (contract/permissions.md section 6, metadata). */
const SIGHT = ['can_administer_channel_group', 'can_add_subscribers_group', 'can_subscribe_group'] as const;

/** Private channels that are visible to members of one of these groups. */
export const channelsNaming = (groups: ReadonlySet<GroupId>, channels: readonly Channel[]): Channel[] =>
  channels.filter(({ inviteOnly, settings }) => inviteOnly && SIGHT.some((name) => names(settings[name], groups)));

const names = (value: GroupSetting, groups: ReadonlySet<GroupId>): boolean =>
  typeof value === 'number' ? groups.has(value) : value.directSubgroups.some((group) => groups.has(group));
