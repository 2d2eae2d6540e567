import { Subscribed, Unsubscribed, channelsContext } from '@annals/channels';
import { filesContext } from '@annals/files';
import { groupsContext } from '@annals/groups';
import { feedReader } from '@annals/kernel';
import type { BotType, ChannelId, ConversationId, Fact, Position, RealmId, UserId } from '@annals/kernel/domain';
import { Role, SYSTEM_GROUPS, fact } from '@annals/kernel/domain';
import type { SystemGroups } from '@annals/realm';
import { RealmSettingsChanged, createRealm, realmContext } from '@annals/realm';
import { AccountCreated, Deactivated, RoleChanged, usersContext } from '@annals/users';
import fc from 'fast-check';
import type { TestKernel } from '../../../../../test/support/server/kernel';
import { openTestKernel } from '../../../../../test/support/server/kernel';
import { ConversationOpened } from '../../domain/events';
import { messagesContext } from '../../messages.context';
import { channelCreated } from '../../spec-support/channel-created';
import { readAccessibleUsers, readInaccessibleUsers } from '../visibility/user-access';
import { readUserAccessHistory } from './user-access-history';

const groups = Object.fromEntries(SYSTEM_GROUPS.map((name, n) => [name, n + 1])) as unknown as SystemGroups;
const founding = {
  subdomain: '',
  uuid: '00000000-0000-4000-8000-00000000000a',
  name: 'Meadow',
  systemGroups: groups,
  notificationBotId: 9 as UserId,
};
const CHANNELS = [1, 2] as ChannelId[];
/** Two guests, two members, a bot, and the bot of the server. */
const ROLES = new Map(([600, 600, 400, 400, 400] as Role[]).map((role, n) => [(n + 1) as UserId, role]));
const PEOPLE = [...ROLES.keys()];
const BOT = 5 as UserId;
const SERVER = 9 as UserId;
/** No account has this id. */
const NOBODY = 77 as UserId;

const channel = fc.constantFrom(...CHANNELS);
const person = fc.constantFrom(...PEOPLE);
const human = fc.constantFrom(...PEOPLE.filter((id) => id !== BOT));
const act = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('join' as const), channel, person }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('leave' as const), channel, person }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('meet' as const), people: fc.subarray(PEOPLE, { minLength: 2 }) }),
  },
  fc.record({ do: fc.constant('restrict' as const), isRestricted: fc.boolean() }),
  fc.record({ do: fc.constant('promote' as const), person: human, role: fc.constantFrom(Role.guest, Role.member) }),
  fc.record({ do: fc.constant('depart' as const), person: human }),
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

/** The present channels and conversations of users, in plain sets without positions. */
class Model {
  readonly roles = new Map(ROLES);
  readonly departed = new Set<UserId>();
  readonly subscribed = new Map<ChannelId, Set<UserId>>(CHANNELS.map((id) => [id, new Set()]));
  readonly conversations: (readonly UserId[])[] = [];
  isRestricted = false;

  sees(viewer: UserId, other: UserId): boolean {
    if (viewer === other || other === BOT || other === SERVER) return true;
    if (!this.isRestricted || this.roles.get(viewer) !== Role.guest) return true;
    if (this.conversations.some((people) => people.includes(viewer) && people.includes(other))) return true;
    return !this.departed.has(other) && [...this.subscribed.values()].some((all) => all.has(viewer) && all.has(other));
  }

  /** The event of an act, if it changes anything. */
  happens(one: Act): [string, Fact] | null {
    switch (one.do) {
      case 'join':
      case 'leave':
        return this.joinsOrLeaves(one);
      case 'meet': {
        if (this.conversations.some((people) => people.join() === one.people.join())) return null;
        this.conversations.push(one.people);
        const conversationId = this.conversations.length as ConversationId;
        return [`conversation-${one.people.join()}`, fact(ConversationOpened, { conversationId, userIds: one.people })];
      }
      case 'restrict': {
        if (this.isRestricted === one.isRestricted) return null;
        this.isRestricted = one.isRestricted;
        const [now, then] = one.isRestricted ? (['members', 'everyone'] as const) : (['everyone', 'members'] as const);
        const value = (name: typeof now) => ({ can_access_all_users_group: groups[name] });
        return ['realm', fact(RealmSettingsChanged, { settings: value(now), previous: value(then) }, {})];
      }
      case 'promote': {
        const from = this.roles.get(one.person) as Role;
        if (from === one.role) return null;
        this.roles.set(one.person, one.role);
        const isActive = !this.departed.has(one.person);
        return [`user-${one.person}`, fact(RoleChanged, { userId: one.person, from, to: one.role, isActive })];
      }
      case 'depart': {
        if (this.departed.has(one.person)) return null;
        this.departed.add(one.person);
        const role = this.roles.get(one.person) as Role;
        return [`user-${one.person}`, fact(Deactivated, { userId: one.person, role, botOwnerId: null })];
      }
    }
  }

  private joinsOrLeaves(one: Extract<Act, { do: 'join' | 'leave' }>): [string, Fact] | null {
    const members = this.subscribed.get(one.channel) as Set<UserId>;
    if (this.departed.has(one.person) || members.has(one.person) === (one.do === 'join')) return null;
    const data = { channelId: one.channel, userIds: [one.person] };
    if (one.do === 'leave') members.delete(one.person);
    else members.add(one.person);
    const event = one.do === 'leave' ? fact(Unsubscribed, data) : fact(Subscribed, { ...data, colors: ['#94c849'] });
    return [`members-${one.channel}`, event];
  }
}

function account(userId: UserId, role: Role, botType: BotType | null = null): [string, Fact] {
  const isSystemBot = userId === SERVER;
  const none = { botOwnerId: null, awaitsFirstLogin: false, canCreateUsers: false, canChangeUserEmails: false };
  const sealed = { email: `user${userId}@example.com`, fullName: `User ${userId}` };
  return [`user-${userId}`, fact(AccountCreated, { userId, role, botType, isSystemBot, ...none }, sealed)];
}

const EVERYBODY = [...PEOPLE, SERVER];
const PAIRS = PEOPLE.flatMap((viewer) => EVERYBODY.map((other) => [viewer, other] as const));
const OPEN = {
  inviteOnly: false,
  isWebPublic: false,
  historyPublicToSubscribers: true,
  settings: {
    can_add_subscribers_group: groups.nobody,
    can_subscribe_group: groups.nobody,
    can_administer_channel_group: groups.nobody,
  },
};
const origin = { client: 'test', correlation: '00000000-0000-4000-8000-000000000001', address: null };

describe('the users whom guests can see', () => {
  let test: TestKernel;
  beforeAll(async () => {
    test = await openTestKernel([
      realmContext,
      usersContext,
      groupsContext,
      channelsContext,
      filesContext,
      messagesContext,
    ]);
  });
  afterAll(() => test.close());

  const append = (realmId: RealmId, facts: readonly (readonly [string, Fact])[]) =>
    test.kernel.work.run(
      { realmId, userId: null, origin },
      async (work) => {
        for (const [stream, one] of facts) work.append(stream, [one]);
      },
      { opensRealm: true },
    );

  it('are those of a model, now and at every position before', async () => {
    let realm = 100;
    const history = fc.asyncProperty(fc.array(act, { minLength: 8, maxLength: 30 }), async (acts) => {
      const realmId = ++realm as RealmId;
      const model = new Model();
      const happened: (readonly [string, Fact])[] = [
        ['realm', createRealm(null, { ...founding, subdomain: `m${realm}` })[0] as Fact],
        account(SERVER, Role.member, 1),
        ...[...ROLES].map(([id, role]) => account(id, role, id === BOT ? 1 : null)),
        ...CHANNELS.map((id) => channelCreated(id, OPEN, groups.nobody)),
      ];
      const from = happened.length as Position;
      const expected: boolean[][] = [];
      for (const one of acts) {
        const event = model.happens(one);
        if (!event) continue;
        happened.push(event);
        expected.push(PAIRS.map((pair) => model.sees(...pair)));
      }
      await append(realmId, happened);
      await test.kernel.database.snapshot(async (client) => {
        const reader = feedReader(test.kernel.events, realmId, client);
        for (const people of [null, EVERYBODY]) {
          const to = happened.length as Position;
          const access = await readUserAccessHistory(reader, { viewers: PEOPLE, people, from, to });
          expect(access.people).toEqual(EVERYBODY);
          const seen = expected.map((_, n) =>
            PAIRS.map((pair) => access.canAccess(...pair, (from + 1 + n) as Position)),
          );
          expect(seen).toEqual(expected);
        }
        for (const viewer of PEOPLE.filter((id) => model.roles.get(id) === Role.guest)) {
          model.isRestricted = true;
          const seen = EVERYBODY.filter((other) => model.sees(viewer, other));
          expect([...(await readAccessibleUsers(client, realmId, viewer))].sort((a, b) => a - b)).toEqual(seen);
          const inaccessible = await readInaccessibleUsers(client, realmId, viewer, [...EVERYBODY, NOBODY]);
          expect([...EVERYBODY, NOBODY].filter((other) => !inaccessible.has(other))).toEqual([...seen, NOBODY]);
        }
      });
    });
    await fc.assert(history, { numRuns: 60 });
  });
});
