import type { ChannelId } from '@annals/kernel/domain';
import { ActivityCounter } from '@annals/messages';
import fc from 'fast-check';
import { wish } from '../support/acts';
import type { Wish } from '../support/acts/act';
import { messageActs } from '../support/acts/messages';
import { subscriptionActs } from '../support/acts/subscriptions';
import { World } from '../support/acts/world';
import { granted } from '../support/server/caller';
import { withoutDefaultChannels } from '../support/requests/channels';
import { ClientState } from '../support/client-model/client-state';
import { systemGroups } from '../support/requests/groups';
import type { Person } from '../support/server/organization';
import type { TestServer } from '../support/server/server';
import { startServer } from '../support/server/server';

const TYPES = [
  ...['realm_user', 'realm_bot', 'user_group', 'realm', 'realm_domains', 'realm_emoji', 'user_settings'],
  ...['realm_user_settings_defaults', 'navigation_view', 'saved_snippets', 'device', 'custom_profile_fields'],
  ...['scheduled_messages', 'reminders'],
  ...['stream', 'subscription', 'default_streams', 'channel_folder', 'message', 'update_message_flags'],
  ...['user_topic', 'muted_topics'],
  ...['update_message', 'delete_message'],
];
const LOOKS = [
  {
    asked: { knowsNull: true, knowsDeactivated: false, withSubscribers: true, makesGravatars: true, knowsGaps: false },
    params: {
      include_subscribers: true,
      client_capabilities: {
        notification_settings_null: true,
        archived_channels: true,
        bulk_message_deletion: true,
        individual_emoji_changes: true,
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
type Look = (typeof LOOKS)[number];

const state = async (viewer: Person, { params, asked }: Look) => new ClientState(await viewer.register(params), asked);

/** A push service that nobody ever reaches. */
const NO_PHONES = {
  ANNALS_PUSH_BOUNCER_URL: 'http://127.0.0.1:1',
  ANNALS_PUSH_ORG_ID: 'nobody',
  ANNALS_PUSH_ORG_KEY: 'nothing',
};

describe('the register law', () => {
  let server: TestServer;
  beforeAll(async () => (server = await startServer({ env: NO_PHONES })));
  afterAll(() => server.close());

  /** Fulfils wishes while everybody looks on, and holds what their clients make of it against what they would begin with. */
  async function holds(world: World, wishes: readonly Wish[]): Promise<void> {
    const everybody = [server.owner, ...world.viewers];
    const clients = await Promise.all(
      LOOKS.flatMap((look) => everybody.map(async (viewer) => ({ viewer, look, client: await state(viewer, look) }))),
    );
    for (const wished of wishes) await wished.fulfil(world);
    for (const { viewer, look, client } of clients) {
      client.hear((await viewer.events(client.queue)).filter(({ type }) => TYPES.includes(type)));
      const now = await state(viewer, look);
      client.lookUp(now);
      expect(client.shown()).toEqual(now.shown());
    }
  }

  it('a snapshot and what follows make the snapshot of later, for every kind of viewer', async () => {
    const world = await World.gather(server);
    const followed = fc.asyncProperty(fc.array(wish, { minLength: 3, maxLength: 16 }), (wishes) =>
      holds(world, wishes),
    );
    await fc.assert(followed, { numRuns: 12 });
  });

  /** Whatever has been wished before. */
  async function letMembersCreateChannels(): Promise<void> {
    const { owner } = server;
    const { body } = await owner.get<{ user_groups: { id: number; name: string }[] }>('/user_groups');
    const members = body.user_groups.find(({ name }) => name === 'role:members')?.id;
    const settings = ['can_create_public_channel_group', 'can_create_private_channel_group'];
    const given = Object.fromEntries(settings.map((setting) => [setting, { new: members }]));
    await owner.patch('/realm', { waiting_period_threshold: 0, ...given });
  }

  it('holds for what is said and moved where people come and go', async () => {
    const world = await World.gather(server);
    const { owner, viewers } = world;
    await letMembersCreateChannels();
    for (const more of [{}, {}, { invite_only: true }]) {
      const subscribers = [owner, ...viewers];
      world.channels.push(await server.channel(owner, { name: `talk ${server.next()}`, subscribers, ...more }));
    }
    const talk = fc.oneof(...subscriptionActs, ...messageActs);
    const followed = fc.asyncProperty(fc.array(talk, { minLength: 6, maxLength: 16 }), (wishes) =>
      holds(world, wishes),
    );
    await fc.assert(followed, { numRuns: 12 });
  });

  it('holds for how busy channels are, which a count changes and a message', async () => {
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
      const client = await state(owner, LOOKS[0] as Look);
      clock.advance(days * 24 * 60 * 60 * 1000);
      await new ActivityCounter(server.kernel).sweep();
      await say(to);
      client.hear(await owner.events(client.queue));
      expect(client.shown()).toEqual((await state(owner, LOOKS[0] as Look)).shown());
    }
  });

  it.each([
    ['leaves', [], [0]],
    ['comes back', [0], [1]],
    ['comes back and is met', [0], [1, 2]],
    ['leaves, comes back and is met', [], [0, 1, 2]],
    ['comes back and is seen by all', [0], [1, 2, 3]],
    ['is seen by all and comes back', [0], [3, 1]],
  ])('holds for guests where settings name somebody unknown who %s', async (_, first, then) => {
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
    const clients = await Promise.all(LOOKS.map(async (look) => ({ look, client: await state(guest, look) })));
    for (const place of then) await acts[place]?.();
    for (const { look, client } of clients) {
      client.hear((await guest.events(client.queue)).filter(({ type }) => TYPES.includes(type)));
      const now = await state(guest, look);
      client.lookUp(now);
      expect(client.shown()).toEqual(now.shown());
    }
    const usual = { can_create_groups: { new: groups['members'] } };
    granted(await owner.patch('/realm', { ...seen('everyone'), ...usual }));
  });

  it('leaves one thing to time, which is no event: who has become a full member', async () => {
    await server.owner.patch('/realm', { waiting_period_threshold: 3 });
    const newcomer = await server.person();
    const client = await state(server.owner, LOOKS[0] as Look);
    server.clock.advance(4 * 24 * 60 * 60 * 1000);
    expect(await server.owner.events(client.queue)).toEqual([]);
    const membersOf = (one: ClientState) => {
      const { realm_user_groups, ...others } = one.shown() as {
        realm_user_groups: { name: string; members: number[] }[];
      };
      const fullMembers = realm_user_groups.find(({ name }) => name === 'role:fullmembers')?.members ?? [];
      return { fullMembers, others, groups: realm_user_groups.filter(({ name }) => name !== 'role:fullmembers') };
    };
    const [before, after] = [membersOf(client), membersOf(await state(server.owner, LOOKS[0] as Look))];
    expect(before.fullMembers).not.toContain(newcomer.id);
    expect(after.fullMembers).toContain(newcomer.id);
    expect({ ...after, fullMembers: [] }).toEqual({ ...before, fullMembers: [] });
    await server.owner.patch('/realm', { waiting_period_threshold: 0 });
  });
});
