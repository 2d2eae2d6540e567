import type { GroupId, GroupSetting, UserId, Verdict } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import type { UserGroupSettings } from './events';
import { USER_GROUP_SETTINGS } from './events';
import { mayAdd, mayCreateGroups, mayManage, mayMentionGroup, mayRemove } from './policies';

const NOBODY = 1 as GroupId;
const STAFF = 2 as GroupId;
const OWNERS = 3 as GroupId;
const rules = { canManageAll: OWNERS };
const person = (userId: number, groups: GroupId[] = [], role: Role = Role.member) => ({
  userId: userId as UserId,
  role,
  groups: new Set(groups),
});
const ann = person(7);
const staff = person(8, [STAFF]);
const owner = person(9, [OWNERS]);
const guest = person(10, [STAFF], Role.guest);

const group = (settings: Partial<UserGroupSettings> = {}) => ({
  settings: {
    ...(Object.fromEntries(USER_GROUP_SETTINGS.map((name) => [name, NOBODY])) as unknown as UserGroupSettings),
    ...settings,
  },
});
const some = (...userIds: number[]) => ({ userIds: userIds as UserId[], withSubgroups: false });
const may = ({ allowed }: Verdict) => allowed;
const only = (user: number): GroupSetting => ({ directMembers: [user as UserId], directSubgroups: [] });

describe('permission to create and manage groups', () => {
  it('the organization decides who creates them, and guests never do', () => {
    expect([staff, ann, guest].map((one) => may(mayCreateGroups(STAFF, one)))).toEqual([true, false, false]);
  });

  it('the organization has managers of all groups, and each group has its own', () => {
    const managed = group({ can_manage_group: STAFF });
    expect([owner, staff, ann, guest].map((one) => may(mayManage(managed, one, rules)))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(may(mayManage(group(), staff, rules))).toBe(false);
  });
});

describe('permission to add users and groups', () => {
  const asked = (settings: Partial<UserGroupSettings>, added = some(1, 2), by = staff) =>
    may(mayAdd(group(settings), added, by, rules));

  it('named users, and managers', () => {
    expect(asked({ can_add_members_group: STAFF })).toBe(true);
    expect(asked({ can_add_members_group: STAFF }, some(1), ann)).toBe(false);
    expect(asked({ can_add_members_group: STAFF }, some(1), guest)).toBe(false);
    expect(asked({ can_manage_group: STAFF })).toBe(true);
    expect(asked({}, some(1), owner)).toBe(true);
  });

  it('users who may join, themselves only', () => {
    const open = { can_join_group: only(7) };
    expect(asked(open, some(7), ann)).toBe(true);
    expect(asked(open, some(7, 8), ann)).toBe(false);
    expect(asked(open, some(8), ann)).toBe(false);
    expect(asked(open, { ...some(7), withSubgroups: true }, ann)).toBe(false);
    expect(asked({}, some(7), ann)).toBe(false);
  });
});

describe('permission to remove users and groups', () => {
  const asked = (settings: Partial<UserGroupSettings>, removed = some(1, 2), by = staff) =>
    may(mayRemove(group(settings), removed, by, rules));

  it('named users, and managers', () => {
    expect(asked({ can_remove_members_group: STAFF })).toBe(true);
    expect(asked({ can_remove_members_group: STAFF }, some(1), ann)).toBe(false);
    expect(asked({ can_add_members_group: STAFF })).toBe(false);
    expect(asked({ can_manage_group: STAFF })).toBe(true);
    expect(asked({}, some(1), owner)).toBe(true);
  });

  it('users who may leave, themselves only', () => {
    const open = { can_leave_group: only(7) };
    expect(asked(open, some(7), ann)).toBe(true);
    expect(asked(open, some(8), ann)).toBe(false);
    expect(asked(open, { ...some(7), withSubgroups: true }, ann)).toBe(false);
    expect(asked({}, some(7), ann)).toBe(false);
  });
});

describe('permission to mention a group', () => {
  it('named users, with guests, and managers', () => {
    const called = { ...group({ can_mention_group: STAFF }), systemName: null };
    expect([staff, guest, owner, ann].map((one) => mayMentionGroup(called, one, rules))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it('system groups cannot be mentioned, and have no managers', () => {
    expect(mayMentionGroup({ ...group(), systemName: 'members' }, owner, rules)).toBe(false);
  });
});
