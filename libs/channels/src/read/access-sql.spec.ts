import { defineContext } from '@annals/kernel';
import type { Audience, ChannelId, Fact, GroupId, GroupSetting, RealmId, UserId } from '@annals/kernel/domain';
import { ROLES, fact, isGuest } from '@annals/kernel/domain';
import { Deactivated } from '@annals/users';
import fc from 'fast-check';
import type { TestKernel } from '../../../../test/support/server/kernel';
import { openTestKernel } from '../../../../test/support/server/kernel';
import type { ChannelPrivacy, Reader } from '../domain/channel/access';
import { seesContent, seesMetadata } from '../domain/channel/access';
import { channelAggregate, firstChannel, membersStream } from '../domain/channel/channel';
import {
  CHANNEL_EVENTS,
  ChannelCreated,
  Returned,
  Subscribed,
  SubscriptionPropertyChanged,
  Unsubscribed,
} from '../domain/events';
import type { ChannelSettings } from '../domain/channel/settings';
import { knowing } from '../feed/audiences';
import { READER, isSubscribedSql, readerValues, seesContentSql, seesMetadataSql } from './access-sql';
import { channelsView } from './channel/channels.view';
import { membershipsView } from './subscription/memberships.view';

const PEOPLE = [1, 2, 3] as UserId[];
const GROUPS = [1, 2, 11, 12] as GroupId[];
const SYSTEM_GROUPS = { nobody: 9, administrators: 9, moderators: 9, fullmembers: 9, everyone: 9 } as Record<
  'nobody' | 'administrators' | 'moderators' | 'fullmembers' | 'everyone',
  GroupId
>;

/** A group, or users with groups. Ids of users and groups do not overlap, so that one cannot pass for the other. */
const setting: fc.Arbitrary<GroupSetting> = fc.oneof(
  fc.constantFrom(...GROUPS),
  fc.record({ directMembers: fc.subarray(PEOPLE), directSubgroups: fc.subarray(GROUPS) }),
);
const channel: fc.Arbitrary<ChannelPrivacy> = fc.record({
  inviteOnly: fc.boolean(),
  isWebPublic: fc.boolean(),
  historyPublicToSubscribers: fc.boolean(),
  settings: fc.record({
    can_add_subscribers_group: setting,
    can_administer_channel_group: setting,
    can_subscribe_group: setting,
  }),
});
const reader: fc.Arbitrary<Reader> = fc.record({
  userId: fc.constantFrom(...PEOPLE),
  role: fc.constantFrom(...ROLES),
  groups: fc.subarray(GROUPS).map((groups) => new Set(groups)),
});
/** Of each user in each channel: never subscribed, formerly subscribed, or subscribed. */
const memberships = fc.array(fc.constantFrom('never', 'before', 'now'), { minLength: 15, maxLength: 15 });
const channels = fc.array(channel, { minLength: 5, maxLength: 5 });
const worlds = fc.tuple(channels, memberships, fc.array(reader, { minLength: 8, maxLength: 8 }));

const idOf = (n: number) => (n + 1) as ChannelId;

/** A channel with this privacy and its present and former subscribers, as events. */
function factsOf(n: number, { settings, ...shape }: ChannelPrivacy, of: readonly string[]): [string, Fact][] {
  const id = idOf(n);
  const usual = firstChannel(id, { name: `c${id}`, description: '' }, SYSTEM_GROUPS);
  const all: ChannelSettings = { ...usual.data.settings, ...settings };
  const created = fact(ChannelCreated, { ...usual.data, ...shape, settings: all }, usual.sealed);
  const those = (...states: string[]) => PEOPLE.filter((_, who) => states.includes(of[who] ?? ''));
  const [ever, before] = [those('before', 'now'), those('before')];
  const joined = fact(Subscribed, { channelId: id, userIds: ever, colors: ever.map(() => '#c2c2c2') });
  const left = fact(Unsubscribed, { channelId: id, userIds: before });
  return [
    [channelAggregate.stream(id), created],
    ...(ever.length > 0 ? [[membersStream(id), joined] as [string, Fact]] : []),
    ...(before.length > 0 ? [[membersStream(id), left] as [string, Fact]] : []),
  ];
}

/** Whether an audience includes a user, with these memberships and groups. */
function includes(audience: Audience, one: Reader, isSubscribed: boolean): boolean {
  switch (audience.kind) {
    case 'everyone':
      return true;
    case 'users':
      return audience.users.includes(one.userId);
    case 'roles':
      return one.role <= audience.atMost;
    case 'guests':
      return isGuest(one);
    case 'members':
      return isSubscribed;
    case 'group':
      return one.groups.has(audience.group);
    case 'any':
      return audience.of.some((part) => includes(part, one, isSubscribed));
    case 'but':
      return includes(audience.these, one, isSubscribed) && !includes(audience.not, one, isSubscribed);
    default:
      throw new Error(`those who know a channel are not said by '${audience.kind}'`);
  }
}

describe('access to channels and their content', () => {
  let test: TestKernel;
  beforeAll(async () => {
    test = await openTestKernel([
      defineContext({
        name: 'channels',
        events: [...CHANNEL_EVENTS, Subscribed, Unsubscribed, Returned, SubscriptionPropertyChanged],
        projections: [channelsView, membershipsView],
      }),
      defineContext({ name: 'users', events: [Deactivated] }),
    ]);
  });
  afterAll(() => test.close());

  const origin = { client: 'test', correlation: '00000000-0000-4000-8000-000000000001', address: null };
  const append = (realmId: RealmId, facts: readonly (readonly [string, Fact])[]) =>
    test.kernel.work.run(
      { realmId, userId: null, origin },
      async (work) => {
        for (const [stream, one] of facts) work.append(stream, [one]);
      },
      { opensRealm: true },
    );

  /** The access of a user to each channel, by SQL alone. */
  const bySql = async (realmId: RealmId, one: Reader) => {
    const { rows } = await test.kernel.database.pool.query<Record<'subscribed' | 'content' | 'metadata', boolean>>(
      `SELECT ${isSubscribedSql('c')} AS subscribed, ${seesContentSql('c')} AS content,
         ${seesMetadataSql('c')} AS metadata
       FROM ${READER} CROSS JOIN view.channels AS c WHERE c.realm_id = $1 ORDER BY c.channel_id`,
      readerValues({ ...one, realmId }),
    );
    return rows;
  };

  it('is the same in SQL, in code and in the feed, for any channels and users', async () => {
    let realm = 100;
    await fc.assert(
      fc.asyncProperty(worlds, async ([shapes, states, readers]) => {
        const realmId = ++realm as RealmId;
        const of = (n: number) => states.slice(n * PEOPLE.length, (n + 1) * PEOPLE.length);
        await append(
          realmId,
          shapes.flatMap((shape, n) => factsOf(n, shape, of(n))),
        );
        for (const one of readers) {
          const isSubscribed = (n: number) => of(n)[PEOPLE.indexOf(one.userId)] === 'now';
          const expected = shapes.map((shape, n) => ({
            subscribed: isSubscribed(n),
            content: seesContent(shape, one, isSubscribed(n)),
            metadata: seesMetadata(shape, one, isSubscribed(n)),
          }));
          expect(await bySql(realmId, one)).toEqual(expected);
          const received = shapes.map((shape, n) => includes(knowing(idOf(n), shape), one, isSubscribed(n)));
          expect(received).toEqual(expected.map(({ metadata }) => metadata));
        }
      }),
      // Time to find the smallest example, and to report it.
      { numRuns: 60, interruptAfterTimeLimit: 60_000 },
    );
  });
});
