import type { Work } from '@annals/kernel';
import type { GroupSetting, UserId } from '@annals/kernel/domain';
import { SYSTEM_GROUPS } from '@annals/kernel/domain';
import type { SystemGroups } from '@annals/realm';
import { checkedSettings } from './checked-settings';

const groups = Object.fromEntries(SYSTEM_GROUPS.map((name, n) => [name, n + 1])) as unknown as SystemGroups;
const members = (...directMembers: number[]) => ({ directMembers: directMembers as UserId[], directSubgroups: [] });

/** Knows every group and account, and records what it was asked for. */
class Asked {
  readonly values: GroupSetting[] = [];
  async ensureKnown(_: Work, value: GroupSetting): Promise<void> {
    this.values.push(value);
  }
}

const check = (requested: Partial<Record<'open' | 'closed', GroupSetting>>, asked = new Asked()) =>
  checkedSettings({} as Work, requested, (name) => ({ everyone: name === 'open', nobody: true }), groups, asked);

it('checks that named groups and users exist, and leaves out settings that were not given', async () => {
  const asked = new Asked();
  expect(await check({ closed: members(12, 11) }, asked)).toEqual({ closed: members(11, 12) });
  expect(asked.values).toEqual([members(11, 12)]);
});

it('checks each setting by its own rule, and reads nothing for values that are not allowed', async () => {
  const asked = new Asked();
  expect(await check({ open: groups.everyone })).toEqual({ open: groups.everyone });
  await expect(check({ closed: groups.everyone }, asked)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(asked.values).toEqual([]);
});
