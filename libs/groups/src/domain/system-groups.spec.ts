import type { GroupId, Instant, SystemGroup } from '@annals/kernel/domain';
import { ROLES, Role } from '@annals/kernel/domain';
import { allSystemGroups, createSystemGroups, directSystemGroups, displayName, isFullMember } from './system-groups';

const names: SystemGroup[] = [
  'nobody',
  'owners',
  'administrators',
  'moderators',
  'fullmembers',
  'members',
  'everyone',
  'internet',
];
const ids = Object.fromEntries(names.map((name, n) => [name, n + 1])) as Record<SystemGroup, GroupId>;

describe('the groups of a new organization', () => {
  const created = createSystemGroups(ids);

  it('are in a fixed order, and each contains the next narrower one', () => {
    expect(created.map(({ data }) => [data.systemName, data.directSubgroups])).toEqual([
      ['nobody', []],
      ['owners', []],
      ['administrators', [ids.owners]],
      ['moderators', [ids.administrators]],
      ['fullmembers', [ids.moderators]],
      ['members', [ids.fullmembers]],
      ['everyone', [ids.members]],
      ['internet', [ids.everyone]],
    ]);
  });

  it('can be changed by nobody', () => {
    for (const { data } of created) {
      expect(Object.keys(data.settings)).toHaveLength(6);
      expect(new Set(Object.values(data.settings))).toEqual(new Set([ids.nobody]));
    }
  });
});

it('the name of a system group for users is short, any other group has its own', () => {
  const shown = names.map((systemName) => displayName({ name: `role:${systemName}`, systemName }));
  expect(shown.slice(0, 6)).toEqual(['Nobody', 'Owners', 'Administrators', 'Moderators', 'Full members', 'Members']);
  expect(shown.slice(6)).toEqual(['Everyone', 'Everyone on the internet']);
  expect(displayName({ name: 'support', systemName: null })).toBe('support');
});

describe('membership by role', () => {
  it.each<[Role, boolean, SystemGroup[]]>([
    [Role.owner, true, ['owners']],
    [Role.administrator, true, ['administrators']],
    [Role.moderator, true, ['moderators']],
    [Role.member, true, ['members', 'fullmembers']],
    [Role.member, false, ['members']],
    [Role.guest, false, ['everyone']],
  ])('of role %i (full: %s) is direct in %j', (role, isFull, direct) => {
    expect(directSystemGroups(role, isFull)).toEqual(direct);
  });

  it.each<[Role, boolean, SystemGroup[]]>([
    [Role.owner, true, names.slice(1)],
    [Role.administrator, true, names.slice(2)],
    [Role.moderator, true, names.slice(3)],
    [Role.member, true, names.slice(4)],
    [Role.member, false, names.slice(5)],
    [Role.guest, false, ['everyone', 'internet']],
  ])('of role %i (full: %s) reaches %j', (role, isFull, all) => {
    expect(allSystemGroups(role, isFull)).toEqual(all);
  });

  it('reaches exactly the groups that contain one of the direct ones', () => {
    const subgroups = new Map(createSystemGroups(ids).map(({ data }) => [data.groupId, data.directSubgroups]));
    const holds = (group: GroupId, inner: GroupId): boolean =>
      group === inner || (subgroups.get(group) ?? []).some((subgroup) => holds(subgroup, inner));
    for (const role of ROLES) {
      for (const isFull of [true, false]) {
        const direct = directSystemGroups(role, isFull).map((name) => ids[name]);
        const reached = names.filter((name) => direct.some((inner) => holds(ids[name], inner)));
        expect([...allSystemGroups(role, isFull)].sort()).toEqual(reached.sort());
      }
    }
  });
});

describe('full members', () => {
  const day = 24 * 60 * 60 * 1000;
  const at = (days: number) => (days * day) as Instant;
  const joined = (role: Role) => ({ role, joinedAt: at(10) });

  it('are members once the waiting period is over', () => {
    expect(isFullMember(joined(Role.member), 3, (at(13) - 1) as Instant)).toBe(false);
    expect(isFullMember(joined(Role.member), 3, at(13))).toBe(true);
    expect(isFullMember(joined(Role.member), 0, at(10))).toBe(true);
  });

  it('are moderators and above at once, and guests never', () => {
    for (const role of [Role.owner, Role.administrator, Role.moderator]) {
      expect(isFullMember(joined(role), 1000, at(10))).toBe(true);
    }
    expect(isFullMember(joined(Role.guest), 0, at(100))).toBe(false);
  });
});
