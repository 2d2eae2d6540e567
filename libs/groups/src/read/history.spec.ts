import type { Actor, Fact, GroupId, Position, Role as RoleType, UserId } from '@annals/kernel/domain';
import { Role, SYSTEM_GROUPS, fact, permits } from '@annals/kernel/domain';
import type { SystemGroups } from '@annals/realm';
import { createRealm, realmContext } from '@annals/realm';
import { AccountCreated, RoleChanged, usersContext } from '@annals/users';
import fc from 'fast-check';
import { Past } from '@annals/kernel';
import type { TestKernel } from '../../../../test/support/server/kernel';
import { REALM, openTestKernel } from '../../../../test/support/server/kernel';
import type { GraphEvent, GroupEvent } from '../domain/events';
import { GroupCreated, MembersAdded, MembersRemoved, SubgroupsAdded, SubgroupsRemoved } from '../domain/events';
import { initialGroupSettings } from '../domain/settings';
import { createSystemGroups, directSystemGroups } from '../domain/system-groups';
import { groupsContext } from '../groups.context';
import { readMembersOfAny } from './direct-members';
import { GroupFacts } from './group-facts';
import { readGroupHistory } from './group-history';
import { readMembership } from './membership';
import { PastActorReader } from './past-actor-reader';

const SYSTEM = Object.fromEntries(SYSTEM_GROUPS.map((name, n) => [name, n + 1])) as unknown as SystemGroups;
const PEOPLE = [11, 12, 13, 14] as UserId[];
const MADE = [21, 22, 23, 24, 25] as GroupId[];
const NESTABLE = [...MADE, SYSTEM.moderators, SYSTEM.members, SYSTEM.everyone];
const ALL = [...Object.values(SYSTEM), ...MADE];

type Act =
  | { readonly kind: 'member'; readonly group: GroupId; readonly user: UserId }
  | { readonly kind: 'subgroup'; readonly group: GroupId; readonly subgroup: GroupId }
  | { readonly kind: 'role'; readonly user: UserId; readonly role: RoleType };

const group = fc.constantFrom(...MADE);
const user = fc.constantFrom(...PEOPLE);
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('member' as const), group, user }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('subgroup' as const), group, subgroup: fc.constantFrom(...NESTABLE) }),
  },
  fc.record({ kind: fc.constant('role' as const), user, role: fc.constantFrom(...Object.values(Role)) }),
);

/** The same facts in the simplest form: nothing is computed before it is requested. */
class Naive {
  readonly members = new Set<string>();
  readonly subgroups = new Map<GroupId, Set<GroupId>>();
  readonly roles = new Map(PEOPLE.map((one) => [one, Role.member as RoleType]));

  constructor(other?: Naive) {
    for (const { data } of createSystemGroups(SYSTEM)) this.subgroups.set(data.groupId, new Set(data.directSubgroups));
    if (!other) return;
    this.members = new Set(other.members);
    this.subgroups = new Map([...other.subgroups].map(([into, inside]) => [into, new Set(inside)]));
    this.roles = new Map(other.roles);
  }

  isIn(into: GroupId, who: UserId): boolean {
    const byRole = directSystemGroups(this.roles.get(who) ?? Role.guest, true).some((name) => SYSTEM[name] === into);
    if (byRole || this.members.has(`${into} ${who}`)) return true;
    return [...(this.subgroups.get(into) ?? [])].some((inside) => this.isIn(inside, who));
  }

  holds(into: GroupId, inside: GroupId): boolean {
    return into === inside || [...(this.subgroups.get(into) ?? [])].some((one) => this.holds(one, inside));
  }

  /** Applies a command to the model. @returns the event, or null if the command is impossible */
  apply(one: Act): readonly [stream: string, fact: Fact] | null {
    switch (one.kind) {
      case 'member':
        return this.move(one.group, one.user);
      case 'subgroup':
        return this.nest(one.group, one.subgroup);
      case 'role': {
        const from = this.roles.get(one.user) ?? Role.member;
        this.roles.set(one.user, one.role);
        const data = { userId: one.user, from, to: one.role, isActive: true };
        return from === one.role ? null : [`user-${one.user}`, fact(RoleChanged, data)];
      }
    }
  }

  private move(groupId: GroupId, who: UserId): readonly [string, GroupEvent] {
    const key = `${groupId} ${who}`;
    const definition = this.members.has(key) ? MembersRemoved : MembersAdded;
    if (!this.members.delete(key)) this.members.add(key);
    return [`group-${groupId}`, fact(definition, { groupId, userIds: [who] })];
  }

  private nest(groupId: GroupId, subgroup: GroupId): readonly [string, GraphEvent] | null {
    const inside = this.subgroups.get(groupId) ?? new Set();
    this.subgroups.set(groupId, inside);
    if (!inside.has(subgroup) && this.holds(subgroup, groupId)) return null;
    const definition = inside.has(subgroup) ? SubgroupsRemoved : SubgroupsAdded;
    if (!inside.delete(subgroup)) inside.add(subgroup);
    return ['group-graph', fact(definition, { groupId, subgroupIds: [subgroup] })];
  }
}

const account = (userId: UserId) =>
  [
    `user-${userId}`,
    fact(
      AccountCreated,
      {
        userId,
        role: Role.member,
        botType: null,
        botOwnerId: null,
        isSystemBot: false,
        awaitsFirstLogin: false,
        canCreateUsers: false,
        canChangeUserEmails: false,
      },
      { email: `user${userId}@zulip.com`, fullName: `User ${userId}` },
    ),
  ] as const;
const made = (groupId: GroupId) =>
  [
    `group-${groupId}`,
    fact(
      GroupCreated,
      {
        groupId,
        creatorId: PEOPLE[0] as UserId,
        settings: initialGroupSettings(SYSTEM, PEOPLE[0] as UserId),
        memberIds: [],
      },
      { name: `group ${groupId}`, description: '' },
    ),
  ] as const;

async function open(): Promise<TestKernel> {
  const test = await openTestKernel([realmContext, usersContext, groupsContext]);
  const uuid = '00000000-0000-4000-8000-00000000000a';
  const founding = { subdomain: '', uuid, name: 'Meadow', systemGroups: SYSTEM, notificationBotId: 2 as UserId };
  await test.state(
    ...createRealm(null, founding).map((realm) => ['realm', realm] as const),
    ...createSystemGroups(SYSTEM).map((one) => [`group-${one.data.groupId}`, one] as const),
    ...PEOPLE.map(account),
    ...MADE.map(made),
  );
  return test;
}

describe('groups in groups', () => {
  let test: TestKernel;
  beforeAll(async () => (test = await open()));
  afterAll(() => test.close());

  it('have the members that a plain search finds, now and at any position', async () => {
    let naive = new Naive();
    const facts = new GroupFacts(test.kernel);
    const property = fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 12 }), async (acts) => {
      const states: [Position, Naive][] = [];
      for (const one of acts) {
        naive = new Naive(naive);
        const happened = naive.apply(one);
        if (!happened) continue;
        await test.state(happened);
        await test.kernel.fence.reach(REALM);
        states.push([await head(test), naive]);
        await compareNow(facts, naive);
        await compareListed(test, facts, naive);
      }
      await compareThen(test, states);
      await compareActors(
        test,
        states.filter((_, n) => n % 4 === 0),
      );
    });
    await fc.assert(property, { numRuns: 25 });
  });
});

async function head({ kernel }: TestKernel): Promise<Position> {
  const { rows } = await kernel.database.pool.query<{ head: Position }>(
    'SELECT max(position) AS head FROM events WHERE realm_id = $1',
    [REALM],
  );
  return rows[0]?.head ?? (0 as Position);
}

/** The questions of permissions to cached facts. */
async function compareNow(facts: GroupFacts, naive: Naive): Promise<void> {
  const nesting = await facts.nesting(REALM);
  for (const userId of PEOPLE) {
    const role = naive.roles.get(userId) ?? Role.guest;
    const byRole = directSystemGroups(role, true).map((name) => SYSTEM[name]);
    const groups = nesting.reachedFrom([...byRole, ...(await facts.directlyWith(REALM, userId))]);
    const actor: Pick<Actor, 'userId' | 'role' | 'groups'> = { userId, role, groups };
    for (const one of ALL) {
      expect(groups.has(one)).toBe(naive.isIn(one, userId));
      const setting = { directMembers: [], directSubgroups: [one] };
      expect(permits(setting, actor, { guests: true })).toBe(naive.isIn(one, userId));
      expect(permits(one, actor, { guests: false })).toBe(naive.isIn(one, userId) && role !== Role.guest);
    }
  }
}

/** The members of a group by the endpoint. */
async function compareListed({ kernel, clock }: TestKernel, facts: GroupFacts, naive: Naive): Promise<void> {
  const nesting = await facts.nesting(REALM);
  const reader = { client: kernel.database.pool, realmId: REALM };
  for (const one of ALL) {
    const listed = await readMembersOfAny(reader, [...nesting.below(one)], clock.now());
    expect(listed).toEqual(PEOPLE.filter((who) => naive.isIn(one, who)));
  }
}

/** The questions of the feed to the history. */
async function compareThen({ kernel, clock }: TestKernel, states: readonly [Position, Naive][]): Promise<void> {
  await kernel.database.snapshot(async (client) => {
    const history = await readGroupHistory({ client, realmId: REALM }, PEOPLE);
    const wasIn = await readMembership({ client, realmId: REALM }, ALL, null);
    for (const [position, naive] of states) {
      const on = { position, at: clock.now() };
      for (const userId of PEOPLE) {
        const role = naive.roles.get(userId) ?? Role.guest;
        const expected = ALL.filter((one) => naive.isIn(one, userId));
        expect([...history.groupsOf({ userId, role }, on)].sort((a, b) => a - b)).toEqual(expected);
        expect(ALL.filter((one) => wasIn(one, userId, on))).toEqual(expected);
      }
    }
  });
}

/** The actors of requests about the past. */
async function compareActors({ kernel, clock }: TestKernel, states: readonly [Position, Naive][]): Promise<void> {
  const actors = new PastActorReader(new Past(kernel));
  for (const [position, naive] of states) {
    for (const userId of PEOPLE) {
      const actor = await actors.actorAt({ realmId: REALM, userId, position, at: clock.now(), origin: ORIGIN });
      expect(actor?.role).toBe(naive.roles.get(userId));
      expect([...(actor?.groups ?? [])].sort((a, b) => a - b)).toEqual(ALL.filter((one) => naive.isIn(one, userId)));
    }
  }
}

const ORIGIN = { client: 'test', correlation: '00000000-0000-4000-8000-000000000002', address: null };
