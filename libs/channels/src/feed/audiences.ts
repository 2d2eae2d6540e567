import type { Audience, ChannelId, GroupSetting } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import type { ChannelPrivacy } from '../domain/channel/access';

export const ALL_NON_GUESTS: Audience = { kind: 'roles', atMost: Role.member };

/**
 * Users who can see a channel with these properties: the audience `metadata` at that time (contract/permissions.md
 * section 6).
 */
export function knowing(channel: ChannelId, privacy: ChannelPrivacy): Audience {
  if (privacy.isWebPublic) return { kind: 'everyone' };
  const others = privacy.inviteOnly ? knowsPrivate(privacy) : ALL_NON_GUESTS;
  return { kind: 'any', of: [{ kind: 'members', channel }, others] };
}

/** Administrators, and non-guests in the groups that know of a private channel (contract/permissions.md section 6). */
export function knowsPrivate({ settings }: ChannelPrivacy): Audience {
  const { can_administer_channel_group, can_add_subscribers_group, can_subscribe_group } = settings;
  const holders = [can_administer_channel_group, can_add_subscribers_group, can_subscribe_group].map(audienceOf);
  const inGroups: Audience = { kind: 'but', these: { kind: 'any', of: holders }, not: { kind: 'guests' } };
  return { kind: 'any', of: [{ kind: 'roles', atMost: Role.administrator }, inGroups] };
}

function audienceOf(setting: GroupSetting): Audience {
  if (typeof setting === 'number') return { kind: 'group', group: setting };
  const subgroups = setting.directSubgroups.map((group): Audience => ({ kind: 'group', group }));
  return { kind: 'any', of: [{ kind: 'users', users: setting.directMembers }, ...subgroups] };
}
