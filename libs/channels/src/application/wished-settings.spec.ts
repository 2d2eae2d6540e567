import type { Work } from '@annals/kernel';
import type { GroupId, GroupSetting, UserId } from '@annals/kernel/domain';
import type { SystemGroups } from '@annals/realm';
import type { ChannelSetting } from '../domain/settings';
import { CHANNEL_SETTINGS } from '../domain/settings';
import { checkedSettings } from './wished-settings';

const names = ['nobody', 'owners', 'administrators', 'moderators', 'fullmembers', 'members', 'everyone', 'internet'];
const groups = Object.fromEntries(names.map((name, n) => [name, n + 1])) as SystemGroups;
const TEAM = 20 as GroupId;
const members = (...directMembers: number[]) => ({ directMembers: directMembers as UserId[], directSubgroups: [] });

/** Knows every group and account, and remembers what it was asked for. */
class Asked {
  readonly values: GroupSetting[] = [];
  async ensureKnown(_: Work, value: GroupSetting): Promise<void> {
    this.values.push(value);
  }
}

const set = async (name: ChannelSetting, value: GroupSetting, asked = new Asked()) =>
  (await checkedSettings({} as Work, { [name]: value }, groups, asked))[name];

describe.each([...CHANNEL_SETTINGS])('%s', (name) => {
  it('takes named and anonymous groups and nobody, never the internet', async () => {
    expect(await set(name, TEAM)).toBe(TEAM);
    expect(await set(name, groups.nobody)).toBe(groups.nobody);
    expect(await set(name, members(12, 11, 12))).toEqual(members(11, 12));
    expect(await set(name, members())).toBe(groups.nobody);
    await expect(set(name, groups.internet)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

it('takes everyone alone only where guests may be', async () => {
  const refused: ChannelSetting[] = [];
  for (const name of CHANNEL_SETTINGS) await set(name, groups.everyone).catch(() => refused.push(name));
  expect(refused).toEqual([
    'can_add_subscribers_group',
    'can_administer_channel_group',
    'can_remove_subscribers_group',
    'can_subscribe_group',
  ]);
});

it('asks whether what a value names is there, and leaves out what was not wished', async () => {
  const asked = new Asked();
  const checked = await checkedSettings({} as Work, { can_subscribe_group: members(12, 11) }, groups, asked);
  expect(checked).toEqual({ can_subscribe_group: members(11, 12) });
  expect(asked.values).toEqual([members(11, 12)]);
});
