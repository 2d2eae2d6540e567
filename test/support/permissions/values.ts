import type { SystemGroup } from '@annals/kernel/domain';
import { granted } from '../server/caller';
import { makeGroup } from '../requests/groups';
import type { Rule } from './contract';
import type { Stage } from './stage';

/** Users and groups beside those of a stage that values may not contain, or contain in other forms. */
export interface Named {
  readonly person: number;
  readonly group: number;
  readonly deactivatedPerson: number;
  readonly deactivatedGroup: number;
  readonly systemBot: number;
  readonly system: Readonly<Record<string, number>>;
}

export async function namedBy(stage: Stage): Promise<Named> {
  const deactivatedGroup = await makeGroup(stage.keeper);
  granted(await stage.keeper.post(`/user_groups/${deactivatedGroup}/deactivate`));
  const { cross_realm_bots } = await stage.keeper.register({ fetch_event_types: ['realm_user'] });
  const [bot] = cross_realm_bots as { user_id: number }[];
  return {
    person: stage.people.guest.id,
    group: stage.empty,
    deactivatedPerson: stage.people['somebody who left'].id,
    deactivatedGroup,
    systemBot: bot?.user_id ?? 0,
    system: stage.groups,
  };
}

const anonymous = (direct_members: readonly unknown[], direct_subgroups: readonly unknown[]) => ({
  direct_members,
  direct_subgroups,
});

const SYSTEM_GROUPS = [
  'nobody',
  'owners',
  'administrators',
  'moderators',
  'fullmembers',
  'members',
  'everyone',
] as const;

/** System groups that a setting cannot be, beside the internet. */
const disallowed = ({ everyone, nobody, only }: Rule): SystemGroup[] =>
  SYSTEM_GROUPS.filter((group) =>
    only ? !only.includes(group) : (group === 'everyone' && !everyone) || (group === 'nobody' && !nobody),
  );

/** Values that name groups and people that do not exist. Every setting refuses them (contract/permissions.md section 3). */
function unknown({ person, group, system, ...absent }: Named) {
  const noGroups = [99_999, 2 ** 40, 0, -1, absent.deactivatedGroup];
  const noPeople = [99_999, 2 ** 40, 0, -1, absent.deactivatedPerson, absent.systemBot];
  return {
    groups: noGroups.flatMap((id) => [
      [`group ${id}`, id] as const,
      [`group ${id} alone in an object`, anonymous([], [id])] as const,
    ]),
    objects: [
      ...noGroups.map((id) => [`group ${id} beside others`, anonymous([person], [group, id])] as const),
      ...noPeople.map((id) => [`person ${id}`, anonymous([id], [])] as const),
      ...noPeople.map((id) => [`person ${id} beside others`, anonymous([person, id], [group])] as const),
      ['the internet beside others', anonymous([person], [system['internet']])] as const,
    ],
  };
}

/** Values of a wrong form. */
const MALFORMED: readonly (readonly [string, unknown])[] = [
  ...[true, 1.5, [1], [], {}, '"role:members"', '1e99', 'words', ''].map(
    (value) => [JSON.stringify(value), value] as const,
  ),
  ['people alone', { direct_members: [] }],
  ['groups alone', { direct_subgroups: [] }],
  ['more than people and groups', { ...anonymous([], []), direct_friends: [] }],
  ['people by name', anonymous(['owner@example.com'], [])],
  ['people as text', { direct_members: '1', direct_subgroups: [] }],
  ['half a person', anonymous([1.5], [])],
  ['groups by name', anonymous([], ['role:members'])],
  ['null for people', { direct_members: null, direct_subgroups: [] }],
];

/** Values that a setting refuses, each with the code of the refusal. */
export function wrongValues(rule: Rule, named: Named): (readonly [what: string, value: unknown, code: string])[] {
  const { person, group, system } = named;
  const bad = ([what, value]: readonly [string, unknown]) => [what, value, 'BAD_REQUEST'] as const;
  const unfit = ([what, value]: readonly [string, unknown]) => [what, value, 'SYSTEM_GROUP_REQUIRED'] as const;
  const { groups, objects } = unknown(named);
  const people = ['people', anonymous([person], [])] as const;
  const two = ['two groups', anonymous([], [system['owners'], system['moderators']])] as const;
  return [
    ...['internet' as const, ...disallowed(rule)].flatMap((name) => [
      bad([name, system[name]]),
      bad([`${name} alone in an object`, anonymous([], [system[name]])]),
    ]),
    ...(rule.nobody ? [] : [bad(['an empty object', anonymous([], [])])]),
    ...groups.map(bad),
    ...(rule.only
      ? [['a group that people made', group] as const, people, two, ...objects].map(unfit)
      : objects.map(bad)),
    ...MALFORMED.map(bad),
  ];
}

/** Values that a setting accepts, each with the form in which it is shown. */
export function rightValues(
  rule: Rule,
  { person, group, system }: Named,
): (readonly [what: string, unknown, unknown])[] {
  const { owners = 0, moderators = 0, everyone = 0, nobody = 0 } = system;
  const allowed = SYSTEM_GROUPS.filter((name) => !disallowed(rule).includes(name));
  const groups = allowed.flatMap((name) => [
    [name, system[name], system[name]] as const,
    [`${name} alone in an object`, anonymous([], [system[name], system[name]]), system[name]] as const,
  ]);
  if (rule.only) return groups;
  const sorted = (...ids: number[]) => [...ids].sort((a, b) => a - b);
  return [
    ...groups,
    ...(rule.nobody ? [['an empty object', anonymous([], []), nobody] as const] : []),
    ['a group that people made', group, group],
    ['people', anonymous([person, 10, person], []), anonymous(sorted(person, 10), [])],
    ['two groups', anonymous([], [moderators, owners, owners]), anonymous([], sorted(owners, moderators))],
    ['everybody and others', anonymous([person], [everyone, nobody]), anonymous([person], sorted(nobody, everyone))],
  ];
}
