import type { Params } from '../../support/server/caller';
import { startWithUsers } from '../../support/server/start-with-users';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import type { Subscription } from '../../support/requests/subscriptions';
import { subscribe, subscriptionOf, subscriptionsOf } from '../../support/requests/subscriptions';

let server: TestServer;
let owner: Person;
let member: Person;
let guest: Person;
beforeAll(async () => ({ server, owner, member, guest } = await startWithUsers()));
afterAll(() => server.close());

let made = 0;
const refused = (code: string) => ({ status: 400, body: { result: 'error', code } });
const fresh = (what = 'channel') => `${what} ${++made}`;
const privateChannel = (input: Params = {}) => {
  const name = fresh('private');
  return server.channel(owner, { name, invite_only: true, ...input }).then((id) => ({ id, name }));
};

describe('GET /users/me/subscriptions', () => {
  it('shows the channel with the personal settings, and nothing else', async () => {
    const name = fresh();
    await subscribe(member, [{ name, description: 'about', color: '#ABC' }]);
    const subscription = await subscriptionOf(member, name);
    const { body } = await member.get<{ streams: Subscription[] }>('/streams');
    expect(subscription).toEqual({
      ...body.streams.find((channel) => channel.name === name),
      color: '#aabbcc',
      is_muted: false,
      in_home_view: true,
      pin_to_top: false,
      desktop_notifications: null,
      email_notifications: null,
      push_notifications: null,
      audible_notifications: null,
      wildcard_mentions_notify: null,
    });
    expect(subscription).toMatchObject({
      subscriber_count: 1,
      creator_id: member.id,
      rendered_description: '<p>about</p>',
    });
  });

  it.each([
    ['false', undefined],
    ['true', 'list'],
    ['"true"', 'list'],
    ['partial', 'list'],
    ['"partial"', 'list'],
  ])('with include_subscribers %s includes subscribers: %s', async (include_subscribers, list) => {
    const id = await server.channel(member, { name: fresh(), subscribers: [guest, member] });
    const mine = (await subscriptionsOf(member, { include_subscribers })).find(({ stream_id }) => stream_id === id);
    const everybody = [member.id, guest.id].sort((a, b) => a - b);
    expect(mine?.['subscribers']).toEqual(list && everybody);
    expect(mine).not.toHaveProperty('partial_subscribers');
  });

  it('refuses other values', async () => {
    for (const include_subscribers of ['yes', 'True', '1', '']) {
      expect(await member.get('/users/me/subscriptions', { include_subscribers })).toMatchObject(
        refused('BAD_REQUEST'),
      );
    }
  });

  it('excludes deactivated users from lists and counts, and includes bots', async () => {
    const leaving = await server.person();
    const bot = await server.bot(member);
    const id = await server.channel(member, { name: fresh(), subscribers: [member, leaving, bot] });
    const mine = async () =>
      (await subscriptionsOf(member, { include_subscribers: true })).find(({ stream_id }) => stream_id === id);
    expect(await mine()).toMatchObject({ subscriber_count: 3 });
    await owner.delete(`/users/${leaving.id}`);
    const left = [member.id, bot.id].sort((a, b) => a - b);
    expect(await mine()).toMatchObject({ subscriber_count: 2, subscribers: left });
  });

  it('is shown by POST /register, with nulls only for clients with that capability', async () => {
    const options = { fetch_event_types: ['subscription', 'stream'], include_subscribers: true };
    const aware = await member.register({ ...options, client_capabilities: { notification_settings_null: true } });
    expect(aware['subscriptions']).toEqual(await subscriptionsOf(member, { include_subscribers: true }));
    const unaware = await member.register(options);
    expect((unaware['subscriptions'] as Subscription[])[0]).toMatchObject({
      desktop_notifications: false,
      email_notifications: false,
      push_notifications: false,
      audible_notifications: false,
      wildcard_mentions_notify: true,
    });
  });

  it('does not list unsubscribed channels, which POST /register does', async () => {
    const unseen = await privateChannel({ subscribers: [owner] });
    const open = await server.channel(owner, { name: fresh(), subscribers: [owner] });
    const { streams, subscriptions, never_subscribed } = (await member.register({
      fetch_event_types: ['subscription', 'stream'],
    })) as unknown as Record<string, Subscription[]>;
    const ids = (list: Subscription[] | undefined) => (list ?? []).map(({ stream_id }) => stream_id);
    expect(ids(never_subscribed)).toContain(open);
    expect(ids(never_subscribed)).not.toContain(unseen.id);
    expect(ids(streams).sort()).toEqual([...ids(subscriptions), ...ids(never_subscribed)].sort());
    expect(never_subscribed?.find(({ stream_id }) => stream_id === open)).not.toHaveProperty('color');
    const listed = (await member.get<{ streams: Subscription[] }>('/streams', { include_all: true })).body.streams;
    expect(streams).toEqual(listed);
  });
});
