import type { ChannelId } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import { ActivityCounter } from '@annals/messages';
import fc from 'fast-check';
import type { Params } from '../support/caller';
import { ClientState } from '../support/client-state';
import type { GroupWish } from '../support/group-wishes';
import { MadeGroups, groupWish } from '../support/group-wishes';
import type { Person } from '../support/organization';
import type { TestServer } from '../support/server';
import { startServer } from '../support/server';

const KINDS = ['administrator', 'moderator', 'member', 'guest', 'bot'] as const;
const CHANGEABLE = Object.values(Role);
/** Who may know of private channels beside their subscribers. */
const HOLDERS = ['nobody', 'moderators', 'fullmembers', 'members'] as const;
const SIGHT = ['can_administer_channel_group', 'can_add_subscribers_group', 'can_subscribe_group'] as const;
const TYPES = [
  ...['realm_user', 'realm_bot', 'user_group', 'realm', 'user_settings'],
  ...['stream', 'subscription', 'default_streams', 'channel_folder', 'message', 'update_message_flags'],
];
/** Changes of a channel that need nothing else. */
const CHANGES: readonly Params[] = [
  { is_private: true },
  { is_private: false },
  { is_private: true, history_public_to_subscribers: true },
  { is_default_stream: true },
  { is_default_stream: false },
  { is_archived: false },
  { message_retention_days: 7 },
  { topics_policy: 'disable_empty_topic' },
];
const LOOKS = [
  {
    asked: { knowsNull: true, knowsDeactivated: false, withSubscribers: true },
    params: {
      include_subscribers: true,
      client_capabilities: { notification_settings_null: true, archived_channels: true },
    },
  },
  {
    asked: { knowsNull: false, knowsDeactivated: true, withSubscribers: false },
    params: { client_gravatar: false, client_capabilities: { include_deactivated_groups: true } },
  },
];
const SETTINGS = [
  { property: 'in_home_view', value: false },
  { property: 'is_muted', value: false },
  { property: 'color', value: '#abc' },
  { property: 'desktop_notifications', value: true },
] as const;
type Look = (typeof LOOKS)[number];

/** Wishes about viewers, other people, bots and channels by number; what is refused when its turn comes is left out. */
type Wish =
  | { readonly kind: 'role'; readonly viewer: number; readonly role: Role }
  | { readonly kind: 'open'; readonly isPrivate: boolean; readonly isDefault: boolean; readonly subscribed: number[] }
  | { readonly kind: 'hide'; readonly setting: number; readonly holders: number; readonly subscribed: number[] }
  | { readonly kind: 'subscribe' | 'unsubscribe'; readonly viewer: number; readonly channel: number }
  | { readonly kind: 'set'; readonly viewer: number; readonly channel: number; readonly change: number }
  | { readonly kind: 'bot' | 'rename' | 'prefer'; readonly viewer: number }
  | { readonly kind: 'end bot' | 'leave'; readonly which: number }
  | { readonly kind: 'arrive' }
  | GroupWish
  | { readonly kind: 'wait'; readonly days: number }
  | { readonly kind: 'allow'; readonly holders: number }
  | { readonly kind: 'alter'; readonly channel: number; readonly change: Params }
  | { readonly kind: 'permit'; readonly channel: number; readonly setting: number; readonly holders: number }
  | { readonly kind: 'retitle' | 'archive' | 'file'; readonly channel: number }
  | { readonly kind: 'tidy'; readonly archive: boolean }
  | { readonly kind: 'say'; readonly channel: number }
  | { readonly kind: 'give notice'; readonly channel: number };

const viewer = fc.nat(KINDS.length - 1);
const subscribed = fc.uniqueArray(viewer, { maxLength: 3 });
const wish: fc.Arbitrary<Wish> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('role' as const), viewer, role: fc.constantFrom(...CHANGEABLE) }),
  },
  fc.record({ kind: fc.constant('open' as const), isPrivate: fc.boolean(), isDefault: fc.boolean(), subscribed }),
  fc.record({ kind: fc.constant('hide' as const), setting: fc.nat(2), holders: fc.nat(9), subscribed }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('subscribe' as const, 'unsubscribe' as const),
      viewer,
      channel: fc.nat(9),
    }),
  },
  fc.record({ kind: fc.constant('set' as const), viewer, channel: fc.nat(9), change: fc.nat(SETTINGS.length - 1) }),
  fc.record({ kind: fc.constantFrom('bot' as const, 'rename' as const, 'prefer' as const), viewer }),
  fc.record({ kind: fc.constantFrom('end bot' as const, 'leave' as const), which: fc.nat(9) }),
  fc.constant({ kind: 'arrive' as const }),
  { weight: 8, arbitrary: groupWish },
  fc.record({ kind: fc.constant('wait' as const), days: fc.constantFrom(0, 3) }),
  fc.record({ kind: fc.constant('allow' as const), holders: fc.nat(3) }),
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('alter' as const),
      channel: fc.nat(9),
      change: fc.constantFrom(...CHANGES),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('permit' as const),
      channel: fc.nat(9),
      setting: fc.nat(3),
      holders: fc.nat(3),
    }),
  },
  fc.record({ kind: fc.constantFrom('retitle' as const, 'archive' as const, 'file' as const), channel: fc.nat(9) }),
  fc.record({ kind: fc.constant('tidy' as const), archive: fc.boolean() }),
  fc.record({ kind: fc.constantFrom('say' as const, 'give notice' as const), channel: fc.nat(9) }),
);

/** An organization in which one person of each kind looks on while things happen. */
class World {
  private readonly channels: ChannelId[] = [];
  private readonly bots: number[] = [];
  private readonly others: number[] = [];
  private readonly made: MadeGroups;
  private readonly folders: number[] = [];

  constructor(
    readonly server: TestServer,
    readonly viewers: readonly Person[],
    private readonly groups: Readonly<Record<string, number>>,
  ) {
    this.made = new MadeGroups(server, viewers, Object.values(groups), this.others);
  }

  async fulfil(wished: Wish): Promise<void> {
    const { owner } = this.server;
    switch (wished.kind) {
      case 'role':
        await owner.patch(`/users/${this.viewer(wished.viewer).id}`, { role: wished.role });
        return;
      case 'open':
        return this.open(wished.subscribed, { invite_only: wished.isPrivate, is_default_stream: wished.isDefault });
      case 'hide': {
        const setting = SIGHT[wished.setting] ?? SIGHT[0];
        const holders = this.made.some(wished.holders) ?? this.holders(wished.holders);
        return this.open(wished.subscribed, { invite_only: true, [setting]: holders });
      }
      case 'subscribe': {
        const name = await this.nameOf(pick(this.channels, wished.channel));
        const principals = [this.viewer(wished.viewer).id];
        if (name) await owner.post('/users/me/subscriptions', { subscriptions: [{ name }], principals });
        return;
      }
      case 'unsubscribe': {
        const name = await this.nameOf(pick(this.channels, wished.channel));
        const principals = [this.viewer(wished.viewer).id];
        if (name) await owner.delete('/users/me/subscriptions', { subscriptions: [name], principals });
        return;
      }
      case 'set': {
        const id = pick(this.channels, wished.channel) ?? 0;
        await this.viewer(wished.viewer).patch(`/users/me/subscriptions/${id}`, SETTINGS[wished.change] ?? {});
        return;
      }
      case 'bot': {
        const made = { full_name: 'Some Bot', short_name: `b${next()}` };
        const { body } = await this.viewer(wished.viewer).post<{ user_id?: number }>('/bots', made);
        if (body.user_id !== undefined) this.bots.push(body.user_id);
        return;
      }
      case 'rename':
        await owner.patch(`/users/${this.viewer(wished.viewer).id}`, { full_name: `Viewer ${next()}` });
        return;
      case 'prefer':
        await this.viewer(wished.viewer).patch('/settings', {
          receives_typing_notifications: next() % 2 === 0,
          send_stream_typing_notifications: next() % 3 === 0,
        });
        return;
      case 'end bot':
        await owner.delete(`/bots/${pick(this.bots, wished.which) ?? 0}`);
        return;
      case 'leave':
        await owner.delete(`/users/${pick(this.others, wished.which) ?? 0}`);
        return;
      case 'arrive':
        this.others.push((await this.server.person()).id);
        return;
      case 'wait':
        await owner.patch('/realm', { waiting_period_threshold: wished.days });
        return;
      case 'group':
      case 'enter':
      case 'nest':
      case 'alter group':
        return this.made.fulfil(wished);
      case 'allow':
        await owner.patch('/realm', { can_create_public_channel_group: { new: this.group(wished.holders) } });
        return;
      case 'alter':
      case 'permit':
      case 'retitle':
      case 'archive':
      case 'file':
        return this.change(pick(this.channels, wished.channel) ?? 0, wished);
      case 'tidy':
        return this.tidy(wished.archive);
      case 'say':
        await owner.post('/messages', {
          ...this.to(wished.channel),
          topic: `topic ${wished.channel}`,
          content: 'so?',
          read_by_sender: true,
        });
        return;
      case 'give notice': {
        const { to } = this.to(wished.channel);
        await owner.patch('/realm', {
          new_stream_announcements_stream_id: to ?? -1,
          send_channel_events_messages: wished.channel % 2 === 0,
        });
        return;
      }
    }
  }

  private async change(
    channel: number,
    wished: Extract<Wish, { kind: 'alter' | 'permit' | 'retitle' | 'archive' | 'file' }>,
  ): Promise<void> {
    const { owner } = this.server;
    const patch = (params: Params) => owner.patch(`/streams/${channel}`, params);
    switch (wished.kind) {
      case 'alter':
        await patch(wished.change);
        return;
      case 'permit': {
        const setting = [...SIGHT, 'can_send_message_group'][wished.setting] ?? SIGHT[0];
        await patch({ [setting]: { new: this.holders(wished.holders) } });
        return;
      }
      case 'retitle':
        await patch({ new_name: `channel ${next()}`, description: `now **${next()}**` });
        return;
      case 'archive':
        await owner.delete(`/streams/${channel}`);
        return;
      case 'file':
        await patch({ folder_id: this.folders.at(-1) ?? null });
        return;
    }
  }

  /** A new folder, or one that is put away, in an order of their own. */
  private async tidy(archive: boolean): Promise<void> {
    const { owner } = this.server;
    if (archive)
      await owner.patch(`/channel_folders/${this.folders[0] ?? 0}`, { is_archived: true, name: `f${next()}` });
    else {
      const folder = { name: `folder ${next()}`, description: '' };
      const { body } = await owner.post<{ channel_folder_id?: number }>('/channel_folders/create', folder);
      if (body.channel_folder_id !== undefined) this.folders.push(body.channel_folder_id);
    }
    await owner.patch('/channel_folders', { order: [...this.folders].reverse() });
  }

  private to(channel: number): { type: 'channel'; to: ChannelId | undefined } {
    return { type: 'channel', to: pick(this.channels, channel) };
  }

  private viewer(index: number): Person {
    const found = this.viewers[index];
    if (!found) throw new Error(`no viewer ${index}`);
    return found;
  }

  private group(index: number): number | undefined {
    return this.groups[`role:${HOLDERS[index] ?? 'nobody'}`];
  }

  /** A group, with somebody who may leave where there is one. */
  private holders(index: number) {
    const direct_members = this.others.slice(-1);
    const group = this.group(index % HOLDERS.length);
    return direct_members.length === 0 ? group : { direct_members, direct_subgroups: [group] };
  }

  private async open(subscribers: readonly number[], more: Params): Promise<void> {
    const people = subscribers.map((index) => this.viewer(index));
    const { body } = await this.server.owner.post<{ id?: ChannelId }>('/channels/create', {
      name: `channel ${next()}`,
      announce: true,
      subscribers: [...people, ...this.others.map((id) => ({ id })).slice(0, 1)].map(({ id }) => id),
      ...more,
    });
    if (body.id !== undefined) this.channels.push(body.id);
  }

  private async nameOf(id: ChannelId | undefined): Promise<string | undefined> {
    if (id === undefined) return undefined;
    const { body } = await this.server.owner.get<{ streams: { stream_id: number; name: string }[] }>('/streams', {
      include_all: true,
    });
    return body.streams.find(({ stream_id }) => stream_id === id)?.name;
  }
}

let count = 0;
const next = () => ++count;
const pick = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % items.length];

async function gather(server: TestServer): Promise<World> {
  const { body } = await server.owner.get<{ user_groups: { id: number; name: string }[] }>('/user_groups');
  const groups = Object.fromEntries(body.user_groups.map(({ id, name }) => [name, id]));
  const viewers = [];
  for (const kind of KINDS) {
    viewers.push(kind === 'bot' ? await server.bot(server.owner) : await server.person({ role: kind }));
  }
  return new World(server, viewers, groups);
}

const state = async (viewer: Person, { params, asked }: Look) => new ClientState(await viewer.register(params), asked);

describe('the register law', () => {
  let server: TestServer;
  beforeAll(async () => (server = await startServer()));
  afterAll(() => server.close());

  it('a snapshot and what follows make the snapshot of later, for every kind of viewer', async () => {
    const world = await gather(server);
    const everybody = [server.owner, ...world.viewers];
    const followed = fc.asyncProperty(fc.array(wish, { minLength: 3, maxLength: 16 }), async (wishes) => {
      const clients = await Promise.all(
        LOOKS.flatMap((look) => everybody.map(async (viewer) => ({ viewer, look, client: await state(viewer, look) }))),
      );
      for (const wished of wishes) await world.fulfil(wished);
      for (const { viewer, look, client } of clients) {
        client.hear((await viewer.events(client.queue)).filter(({ type }) => TYPES.includes(type)));
        expect(client.shown()).toEqual((await state(viewer, look)).shown());
      }
    });
    await fc.assert(followed, { numRuns: 12 });
  }, 120_000);

  it('holds for how busy channels are, which a count changes and a message', async () => {
    const { owner, clock } = server;
    const { body } = await owner.get<{ user_groups: { id: number; name: string }[] }>('/user_groups');
    const members = body.user_groups.find(({ name }) => name === 'role:members')?.id;
    await owner.patch('/realm', { waiting_period_threshold: 0, can_create_public_channel_group: { new: members } });
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
