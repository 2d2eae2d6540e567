import type { GroupSetting } from './group-setting';
import type { GroupId, UserId } from './ids';
import { Role, permits } from './actor';

const [NOBODY, MODERATORS, MEMBERS, INNER] = [1, 2, 3, 4] as GroupId[] as [GroupId, GroupId, GroupId, GroupId];
const [NAMED, OTHER] = [10, 11] as UserId[] as [UserId, UserId];

/** Groups are those that the actor is in, also through other groups. */
const PEOPLE = {
  moderator: { userId: OTHER, role: Role.moderator, groups: new Set([MODERATORS, MEMBERS]) },
  member: { userId: OTHER, role: Role.member, groups: new Set([MEMBERS]) },
  'member who is named': { userId: NAMED, role: Role.member, groups: new Set([MEMBERS]) },
  'member of an inner group': { userId: OTHER, role: Role.member, groups: new Set([MEMBERS, INNER]) },
  guest: { userId: OTHER, role: Role.guest, groups: new Set<GroupId>() },
  'guest who is named': { userId: NAMED, role: Role.guest, groups: new Set<GroupId>() },
  'guest of an inner group': { userId: OTHER, role: Role.guest, groups: new Set([INNER]) },
} as const;
const ALL = Object.keys(PEOPLE) as (keyof typeof PEOPLE)[];
const isGuest = (name: string) => name.startsWith('guest');

it.each<readonly [what: string, value: GroupSetting, whom: readonly (typeof ALL)[number][]]>([
  ['nobody', NOBODY, []],
  ['a group by role', MODERATORS, ['moderator']],
  ['a wider group by role', MEMBERS, ALL.filter((name) => !isGuest(name))],
  ['a group that people made', INNER, ['member of an inner group', 'guest of an inner group']],
  ['nothing', { directMembers: [], directSubgroups: [] }, []],
  ['people', { directMembers: [NAMED], directSubgroups: [] }, ['member who is named', 'guest who is named']],
  [
    'people and groups',
    { directMembers: [NAMED], directSubgroups: [NOBODY, MODERATORS, INNER] },
    ALL.filter((name) => name !== 'member' && name !== 'guest'),
  ],
])('a setting that is %s permits those in it, and guests only if it may include guests', (_, value, whom) => {
  const permitted = (guests: boolean) => ALL.filter((name) => permits(value, PEOPLE[name], { guests }));
  expect(permitted(true)).toEqual(whom);
  expect(permitted(false)).toEqual(whom.filter((name) => !isGuest(name)));
});
