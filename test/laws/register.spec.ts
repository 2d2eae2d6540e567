import type { ChannelId } from '@annals/kernel/domain';
import { ActivityCounter } from '@annals/messages';
import fc from 'fast-check';
import { randomAct } from '../support/acts';
import type { RandomAct } from '../support/acts/act';
import { absenceActs, flagActs } from '../support/acts/flags';
import { messageActs } from '../support/acts/messages';
import { mutingActs } from '../support/acts/personal';
import { subscriptionActs } from '../support/acts/subscriptions';
import { topicPolicyActs } from '../support/acts/topics';
import { World } from '../support/acts/world';
import { granted } from '../support/server/caller';
import { withoutDefaultChannels } from '../support/requests/channels';
import { ClientState } from '../support/client-model/client-state';
import { systemGroups } from '../support/requests/groups';
import type { Person } from '../support/server/organization';
import type { TestServer } from '../support/server/server';
import { startTestServer } from '../support/server/server';

const TYPES = [
  'alert_words',
  'muted_users',
  'user_status',
  ...['realm_user', 'realm_bot', 'user_group', 'realm', 'realm_domains', 'realm_emoji', 'user_settings'],
  ...['realm_linkifiers', 'realm_playgrounds'],
  ...[
    'realm_user_settings_defaults',
    'navigation_view',
    'saved_snippets',
    'drafts',
    'onboarding_steps',
    'device',
    'custom_profile_fields',
  ],
  ...['scheduled_messages', 'reminders'],
  ...[
    'stream',
    'subscription',
    'default_streams',
    'default_stream_groups',
    'channel_folder',
    'message',
    'update_message_flags',
  ],
  ...['user_topic', 'muted_topics'],
  ...['update_message', 'delete_message'],
];
const VARIANTS = [
  {
    asked: { knowsNull: true, knowsDeactivated: false, withSubscribers: true, makesGravatars: true, knowsGaps: false },
    params: {
      include_subscribers: true,
      client_capabilities: {
        notification_settings_null: true,
        archived_channels: true,
        bulk_message_deletion: true,
        individual_emoji_changes: true,
        linkifier_url_template: true,
      },
    },
  },
  {
    asked: { knowsNull: false, knowsDeactivated: true, withSubscribers: false, makesGravatars: false, knowsGaps: true },
    params: {
      client_gravatar: false,
      client_capabilities: { include_deactivated_groups: true, user_list_incomplete: true },
    },
  },
];
type Variant = (typeof VARIANTS)[number];

const state = async (viewer: Person, { params, asked }: Variant) =>
  new ClientState(await viewer.register(params), asked);

/** Which of the messages that were sent a viewer can read. */
async function readable(viewer: Person, { messages }: World): Promise<ReadonlySet<number>> {
  if (messages.length === 0) return new Set();
  const { messages: read } = granted(
    await viewer.get<{ messages: { id: number }[] }>('/messages', { message_ids: messages }),
  );
  return new Set(read.map(({ id }) => id));
}

/** A push service that cannot be reached. */
const NO_PHONES = {
  ANNALS_PUSH_BOUNCER_URL: 'http://127.0.0.1:1',
  ANNALS_PUSH_ORG_ID: 'nobody',
  ANNALS_PUSH_ORG_KEY: 'nothing',
};

describe('the register law', () => {
  let server: TestServer;
  beforeAll(async () => (server = await startTestServer({ env: NO_PHONES })));
  afterAll(() => server.close());

  /** Runs acts while clients follow, and compares what each of them has with a new registration. */
  async function holds(world: World, acts: readonly RandomAct[]): Promise<void> {
    const everybody = [server.owner, ...world.viewers];
    world.interrupted.clear();
    const clients = await Promise.all(
      VARIANTS.flatMap((look) =>
        everybody.map(async (viewer) => ({ viewer, look, client: await state(viewer, look) })),
      ),
    );
    const before = new Map<Person, ReadonlySet<number>>();
    for (const viewer of everybody) before.set(viewer, await readable(viewer, world));
    const sentBefore = new Set(world.messages);
    for (const one of acts) await one.run(world);
    await world.reactivateAll();
    for (const { viewer, look, client } of clients) {
      // The queues of a deactivated user end.
      if (world.interrupted.has(viewer)) continue;
      client.receive((await viewer.events(client.queue)).filter(({ type }) => TYPES.includes(type)));
      const now = await state(viewer, look);
      client.lookUp(now);
      const unreadable = [...sentBefore].filter((id) => before.get(viewer)?.has(id) !== true);
      client.starredByAccess(now, await readable(viewer, world), new Set(unreadable));
      expect(client.shown()).toEqual(now.shown());
    }
  }

  it('a snapshot and what follows make the snapshot of later, for every kind of viewer', async () => {
    const world = await World.gather(server);
    const followed = fc.asyncProperty(fc.array(randomAct, { minLength: 3, maxLength: 16 }), (acts) =>
      holds(world, acts),
    );
    await fc.assert(followed, { numRuns: 8 });
  });

  /** The acts before do not matter. */
  async function letMembersCreateChannels(): Promise<void> {
    const { owner } = server;
    const { body } = await owner.get<{ user_groups: { id: number; name: string }[] }>('/user_groups');
    const members = body.user_groups.find(({ name }) => name === 'role:members')?.id;
    const settings = ['can_create_public_channel_group', 'can_create_private_channel_group'];
    const given = Object.fromEntries(settings.map((setting) => [setting, { new: members }]));
    await owner.patch('/realm', { waiting_period_threshold: 0, ...given });
  }

  it('holds for messages and moves while users subscribe and unsubscribe', async () => {
    const world = await World.gather(server);
    const { owner, viewers } = world;
    await letMembersCreateChannels();
    for (const more of [{}, {}, { invite_only: true }]) {
      const subscribers = [owner, ...viewers];
      world.channels.push(await server.channel(owner, { name: `talk ${server.next()}`, subscribers, ...more }));
    }
    const acts = [...subscriptionActs, ...messageActs, ...flagActs, ...mutingActs, ...topicPolicyActs, ...absenceActs];
    const talk = fc.oneof(...acts);
    const followed = fc.asyncProperty(fc.array(talk, { minLength: 6, maxLength: 16 }), (acts) => holds(world, acts));
    await fc.assert(followed, { numRuns: 8 });
  });

  it('holds for the activity of channels, which a count and a message change', async () => {
    const { owner, clock } = server;
    await letMembersCreateChannels();
    const [busy, quiet] = [
      await server.channel(owner, { name: 'busy' }),
      await server.channel(owner, { name: 'quiet' }),
    ];
    const say = (to: ChannelId) => owner.post('/messages', { type: 'channel', to, topic: 'lunch', content: 'now' });
    for (const [days, to] of [
      [0, busy],
      [10, busy],
      [175, quiet],
      [20, busy],
      [170, quiet],
    ] as const) {
      const client = await state(owner, VARIANTS[0] as Variant);
      clock.advance(days * 24 * 60 * 60 * 1000);
      await new ActivityCounter(server.kernel).sweep();
      await say(to);
      client.receive(await owner.events(client.queue));
      expect(client.shown()).toEqual((await state(owner, VARIANTS[0] as Variant)).shown());
    }
  });

  it.each([
    ['leaves', [], [0]],
    ['comes back', [0], [1]],
    ['comes back and is met', [0], [1, 2]],
    ['leaves, comes back and is met', [], [0, 1, 2]],
    ['comes back and is seen by all', [0], [1, 2, 3]],
    ['is seen by all and comes back', [0], [3, 1]],
  ])('holds for guests if settings name a hidden user who %s', async (_, first, then) => {
    const { owner } = server;
    await withoutDefaultChannels(owner);
    const [guest, named] = [await server.person({ role: 'guest' }), await server.person()];
    const groups = await systemGroups(owner);
    const value = { direct_members: [named.id], direct_subgroups: [groups['moderators']] };
    const seen = (group: string) => ({ can_access_all_users_group: { new: groups[group] } });
    granted(await owner.patch('/realm', { ...seen('members'), can_create_groups: { new: value } }));
    const acts: readonly (() => Promise<unknown>)[] = [
      () => owner.delete(`/users/${named.id}`),
      () => owner.post(`/users/${named.id}/reactivate`),
      () => server.channel(owner, { subscribers: [guest, named] }),
      () => owner.patch('/realm', seen('everyone')),
    ];
    for (const place of first) await acts[place]?.();
    const clients = await Promise.all(VARIANTS.map(async (look) => ({ look, client: await state(guest, look) })));
    for (const place of then) await acts[place]?.();
    for (const { look, client } of clients) {
      client.receive((await guest.events(client.queue)).filter(({ type }) => TYPES.includes(type)));
      const now = await state(guest, look);
      client.lookUp(now);
      expect(client.shown()).toEqual(now.shown());
    }
    const usual = { can_create_groups: { new: groups['members'] } };
    granted(await owner.patch('/realm', { ...seen('everyone'), ...usual }));
  });

  it('excludes one change that is no event: users become full members by time', async () => {
    await server.owner.patch('/realm', { waiting_period_threshold: 3 });
    const newcomer = await server.person();
    const client = await state(server.owner, VARIANTS[0] as Variant);
    server.clock.advance(4 * 24 * 60 * 60 * 1000);
    expect(await server.owner.events(client.queue)).toEqual([]);
    const membersOf = (one: ClientState) => {
      const { realm_user_groups, ...others } = one.shown() as {
        realm_user_groups: { name: string; members: number[] }[];
      };
      const fullMembers = realm_user_groups.find(({ name }) => name === 'role:fullmembers')?.members ?? [];
      return { fullMembers, others, groups: realm_user_groups.filter(({ name }) => name !== 'role:fullmembers') };
    };
    const [before, after] = [membersOf(client), membersOf(await state(server.owner, VARIANTS[0] as Variant))];
    expect(before.fullMembers).not.toContain(newcomer.id);
    expect(after.fullMembers).toContain(newcomer.id);
    expect({ ...after, fullMembers: [] }).toEqual({ ...before, fullMembers: [] });
    await server.owner.patch('/realm', { waiting_period_threshold: 0 });
  });
});
