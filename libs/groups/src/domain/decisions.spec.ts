import type { Actor, GroupId, GroupSetting, UserId } from '@annals/kernel/domain';
import { Rejected, sameGroupSetting } from '@annals/kernel/domain';
import { given } from '../../../../test/support/events/recorded-events';
import type { GroupChange, GroupInput } from './decisions';
import { addMembers, changeGroup, changeableGroup, createGroup, deactivateGroup, removeMembers } from './decisions';
import type { GroupEvent } from './events';
import type { Group } from './group';
import { groupAggregate } from './group';
import { reject } from './rejections';
import { createSystemGroups } from './system-groups';

const user = (id: number) => id as UserId;
const group = (id: number) => id as GroupId;
const ID = group(20);
const SYSTEM = {
  nobody: group(1),
  owners: group(2),
  administrators: group(3),
  moderators: group(4),
  fullmembers: group(5),
  members: group(6),
  everyone: group(7),
  internet: group(8),
};
const creator: Pick<Actor, 'userId'> = { userId: user(7) };
const own: GroupSetting = { directMembers: [user(7)], directSubgroups: [] };

const create = (input: Partial<GroupInput> = {}, nameTaken = false) =>
  createGroup(ID, { name: 'bakers', description: 'who bake', settings: {}, memberIds: [], ...input }, creator, {
    nameTaken,
    systemGroups: SYSTEM,
  });
const after = (...events: GroupEvent[]): Group => {
  const state = given(groupAggregate, ...create({ memberIds: [user(7), user(8)] }), ...events);
  if (!state) throw new Error('no group');
  return state;
};
/** The code of a refusal with its text, or the types of the events. */
function outcome(decide: () => readonly GroupEvent[]): string {
  try {
    return decide()
      .map(({ type }) => type.replace('groups.', ''))
      .join();
  } catch (error) {
    if (error instanceof Rejected) return `${error.code}: ${error.message}`;
    throw error;
  }
}

describe('a new group', () => {
  it('belongs to its creator, with its members', () => {
    const [made] = create({ memberIds: [user(8)], settings: { can_join_group: SYSTEM.members } });
    expect(made).toMatchObject({
      data: {
        groupId: ID,
        creatorId: 7,
        memberIds: [8],
        settings: {
          can_add_members_group: own,
          can_join_group: SYSTEM.members,
          can_leave_group: SYSTEM.everyone,
          can_manage_group: own,
          can_mention_group: SYSTEM.everyone,
          can_remove_members_group: SYSTEM.nobody,
        },
      },
      sealed: { name: 'bakers', description: 'who bake' },
    });
  });

  it.each([
    ['', 'cannot be empty'],
    ['  ', 'cannot be empty'],
    ['x'.repeat(101), 'cannot exceed'],
    ['@bakers', "start with '@'"],
    ['role:bakers', "start with 'role:'"],
    ['user:bakers', "start with 'user:'"],
    ['stream:bakers', "start with 'stream:'"],
    ['channel:bakers', "start with 'channel:'"],
  ])('cannot have the name %j', (name, why) => {
    expect(outcome(() => create({ name }))).toContain(why);
    const change = { name, reactivate: false, settings: {}, expected: {} };
    const rules = { nameTaken: false, isExpected: sameGroupSetting };
    expect(outcome(() => changeGroup(after(), change, rules))).toContain(why);
  });

  it('may have a unique name of a hundred characters', () => {
    expect(outcome(() => create({ name: '🥐'.repeat(100) }))).toBe('GroupCreated');
    expect(outcome(() => create({ name: 'Role:bakers' }))).toBe('GroupCreated');
    expect(outcome(() => create({}, true))).toMatch(/BAD_REQUEST: .*already exists/);
  });
});

describe('changing a group', () => {
  const change = (input: Partial<GroupChange>, state = after(), nameTaken = false) =>
    changeGroup(
      state,
      { reactivate: false, settings: {}, expected: {}, ...input },
      { nameTaken, isExpected: sameGroupSetting },
    );

  it('records each change, and nothing else', () => {
    const settings = { can_join_group: SYSTEM.members, can_leave_group: SYSTEM.everyone };
    expect(outcome(() => change({ name: 'cooks', description: 'who cook', settings }))).toBe(
      'GroupRenamed,GroupDescribed,GroupSettingChanged',
    );
    expect(change({ settings })).toMatchObject([
      { data: { setting: 'can_join_group', value: SYSTEM.members, previous: SYSTEM.nobody } },
    ]);
    expect(outcome(() => change({ name: 'bakers', description: 'who bake' }))).toBe('');
  });

  it('keeps its own name although it is taken', () => {
    expect(outcome(() => change({ name: 'bakers' }, after(), true))).toBe('');
    expect(outcome(() => change({ name: 'cooks' }, after(), true))).toMatch(/already exists/);
  });

  it('refuses a wrong expected old value, and changes nothing then', () => {
    const input = (expected: GroupSetting) => ({
      name: 'cooks',
      settings: { can_join_group: SYSTEM.members },
      expected: { can_join_group: expected },
    });
    expect(outcome(() => change(input(SYSTEM.everyone)))).toMatch(/EXPECTATION_MISMATCH/);
    expect(outcome(() => change(input(SYSTEM.nobody)))).toBe('GroupRenamed,GroupSettingChanged');
  });

  it('reactivates before it renames', () => {
    const ended = after(...deactivateGroup(after(), []));
    expect(outcome(() => change({ reactivate: true, name: 'cooks' }, ended))).toBe('GroupReactivated,GroupRenamed');
    expect(change({ name: 'cooks' }, ended)).toMatchObject([{ data: { isDeactivated: true } }]);
    expect(outcome(() => change({ reactivate: true }))).toBe('');
  });
});

describe('members', () => {
  it('are added once and removed once', () => {
    expect(addMembers(after(), [user(9), user(10)])).toMatchObject([{ data: { userIds: [9, 10] } }]);
    expect(outcome(() => addMembers(after(), [user(9), user(8)]))).toMatch(/User 8 is already a member/);
    expect(removeMembers(after(), [user(7)])).toMatchObject([{ data: { userIds: [7] } }]);
    expect(outcome(() => removeMembers(after(), [user(7), user(9)]))).toMatch(/no member with user ID 9/);
    expect(outcome(() => [...addMembers(after(), []), ...removeMembers(after(), [])])).toBe('');
  });

  it('can be removed in the act that added them', () => {
    const state = after(...addMembers(after(), [user(9)]));
    expect(outcome(() => removeMembers(state, [user(9)]))).toBe('MembersRemoved');
    expect(outcome(() => addMembers(after(...removeMembers(after(), [user(7)])), [user(7)]))).toBe('MembersAdded');
  });
});

describe('the deactivation of a group', () => {
  it('is done once, when nothing uses it', () => {
    expect(outcome(() => deactivateGroup(after(), []))).toBe('GroupDeactivated');
    expect(outcome(() => deactivateGroup(after(...deactivateGroup(after(), [])), []))).toMatch(/already deactivated/);
    const objections = [{ type: 'realm' as const, settings: ['can_create_groups'] }];
    expect(outcome(() => deactivateGroup(after(), objections))).toMatch(/CANNOT_DEACTIVATE_GROUP_IN_USE/);
    expect(reject.inUse(objections).extra).toEqual({ objections });
  });
});

describe('which groups can be changed', () => {
  it('are those that are not system groups', () => {
    expect(() => changeableGroup(null)).toThrow('Invalid user group');
    for (const made of createSystemGroups(SYSTEM)) {
      expect(() => changeableGroup(given(groupAggregate, made))).toThrow('System user groups');
    }
    expect(changeableGroup(after()).members).toEqual(new Set([7, 8]));
  });
});
