import type { GroupId, GroupSetting, UserId } from '@annals/kernel/domain';
import { SYSTEM_GROUPS } from '@annals/kernel/domain';
import type { SystemGroups } from '@annals/realm';
import { allowedGroupValue } from '@annals/realm';
import type { ChannelSetting } from './settings';
import { CHANNEL_SETTINGS, allowedGroups } from './settings';

const groups = Object.fromEntries(SYSTEM_GROUPS.map((name, n) => [name, n + 1])) as unknown as SystemGroups;
const TEAM = 20 as GroupId;
const members = (...directMembers: number[]) => ({ directMembers: directMembers as UserId[], directSubgroups: [] });
const stored = (name: ChannelSetting, value: GroupSetting) =>
  allowedGroupValue(name, value, allowedGroups(name), groups);

describe.each([...CHANNEL_SETTINGS])('%s', (name) => {
  it('accepts named and anonymous groups and nobody, never the internet', () => {
    expect(stored(name, TEAM)).toBe(TEAM);
    expect(stored(name, groups.nobody)).toBe(groups.nobody);
    expect(stored(name, members(12, 11, 12))).toEqual(members(11, 12));
    expect(stored(name, members())).toBe(groups.nobody);
    expect(() => stored(name, groups.internet)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }) as Error);
  });
});

it('accepts everyone only if guests are allowed', () => {
  const isRefused = (name: ChannelSetting) => {
    try {
      return stored(name, groups.everyone) !== groups.everyone;
    } catch {
      return true;
    }
  };
  expect(CHANNEL_SETTINGS.filter(isRefused)).toEqual([
    'can_add_subscribers_group',
    'can_administer_channel_group',
    'can_remove_subscribers_group',
    'can_subscribe_group',
  ]);
});
