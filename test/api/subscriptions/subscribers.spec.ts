import type { UserId } from '@annals/kernel/domain';
import { crowd } from '../../../libs/users/src/spec-support/crowd';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const DAY = 24 * 60 * 60 * 1000;

let server: TestServer;
let owner: Person;
let administrator: Person;
let member: Person;
let other: Person;
let guest: Person;
let bot: Person;
let made = 0;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  administrator = await server.person({ role: 'administrator' });
  member = await server.person();
  other = await server.person();
  guest = await server.person({ role: 'guest' });
  bot = await server.bot(member);
});
afterAll(() => server.close());

const refused = (msg?: string) => ({ status: 400, body: { code: 'BAD_REQUEST', ...(msg && { msg }) } });
const sorted = (...people: { readonly id: UserId }[]) => people.map(({ id }) => id).sort((a, b) => a - b);
const fresh = () => `channel ${++made}`;
const members = (by: Person, id: number) => by.get<{ subscribers: number[] }>(`/streams/${id}/members`);
const isSubscribed = (by: Person, who: number, id: number) =>
  by.get<{ is_subscribed: boolean }>(`/users/${who}/subscriptions/${id}`);
const channelsOf = (by: Person, who: number) => by.get<{ subscribed_channel_ids: number[] }>(`/users/${who}/channels`);

describe('GET /streams/{stream_id}/members', () => {
  it('lists active subscribers, bots included, for users who can see the channel', async () => {
    const leaving = await server.person();
    const open = await server.channel(owner, { name: fresh(), subscribers: [other, bot, leaving] });
    expect((await members(member, open)).body.subscribers).toEqual(sorted(other, bot, leaving));
    await owner.delete(`/users/${leaving.id}`);
    expect((await members(member, open)).body.subscribers).toEqual(sorted(other, bot));
  });

  it('is refused to others, as for an unknown channel', async () => {
    const hidden = await server.channel(owner, { name: fresh(), subscribers: [other], invite_only: true });
    const open = await server.channel(owner, { name: fresh(), subscribers: [] });
    const { body } = await members(member, 999_999);
    expect(await members(member, 999_999)).toMatchObject(refused());
    expect(await members(member, hidden)).toMatchObject(refused(body.msg));
    expect(await members(guest, open)).toMatchObject(refused(body.msg));
    for (const by of [other, administrator]) expect((await members(by, hidden)).body.subscribers).toEqual([other.id]);
    expect((await members(member, open)).body.subscribers).toEqual([]);
  });
});

describe('GET /users/{user_id}/subscriptions/{stream_id}', () => {
  it('answers for users and bots, if the caller can see the channel', async () => {
    const open = await server.channel(owner, { name: fresh(), subscribers: [other, bot, guest] });
    const isSubscriber = async (by: Person, who: Person) => granted(await isSubscribed(by, who.id, open)).is_subscribed;
    expect(await isSubscriber(member, other)).toBe(true);
    expect(await isSubscriber(member, bot)).toBe(true);
    expect(await isSubscriber(member, member)).toBe(false);
    expect(await isSubscriber(guest, other)).toBe(true);
  });

  it('refuses channels that the caller cannot see, and unknown users', async () => {
    const hidden = await server.channel(owner, { name: fresh(), subscribers: [other], invite_only: true });
    const open = await server.channel(owner, { name: fresh(), subscribers: [] });
    const deactivated = await server.person();
    await owner.delete(`/users/${deactivated.id}`);
    for (const [who, id] of [
      [other.id, hidden],
      [other.id, 999_999],
      [deactivated.id, open],
      [999_999, open],
    ] as const) {
      expect(await isSubscribed(member, who, id)).toMatchObject(refused());
    }
    expect(await isSubscribed(guest, other.id, open)).toMatchObject(refused());
    expect((await isSubscribed(administrator, other.id, hidden)).body.is_subscribed).toBe(true);
  });
});

describe('GET /users/{user_id}/channels', () => {
  it('lists the channels that the caller can see', async () => {
    const person = await server.person();
    const open = await server.channel(owner, { name: fresh(), subscribers: [person, guest] });
    const hidden = await server.channel(owner, { name: fresh(), subscribers: [person], invite_only: true });
    const of = async (by: Person) => granted(await channelsOf(by, person.id)).subscribed_channel_ids;
    const [general = 0] = await of(member);
    expect(await of(member)).toEqual([general, open]);
    expect(await of(guest)).toEqual([general, open]);
    for (const by of [person, administrator]) expect(await of(by)).toEqual([general, open, hidden]);
    const robot = await server.bot(owner);
    expect(granted(await channelsOf(member, robot.id)).subscribed_channel_ids).toEqual([]);
  });

  it('refuses unknown users', async () => {
    const deactivated = await server.person();
    await owner.delete(`/users/${deactivated.id}`);
    for (const who of [deactivated.id, 999_999]) expect(await channelsOf(member, who)).toMatchObject(refused());
  });
});

describe('GET /users/me/subscriptions of a large channel', () => {
  type Subscription = Record<'stream_id' | 'subscriber_count', number> & Record<string, number[] | undefined>;
  const FULL = 250;

  it('may be partial from 250 subscribers on: bots, and users active within 14 days', async () => {
    const people = await crowd(server.kernel, FULL - 4);
    const name = fresh();
    const id = await server.channel(owner, {
      name,
      subscribers: [member, other, bot, ...people.map((one) => ({ id: one }))],
    });
    const mine = async (include_subscribers: unknown) =>
      granted(
        await member.get<{ subscriptions: Subscription[] }>('/users/me/subscriptions', { include_subscribers }),
      ).subscriptions.find((one) => one.stream_id === id);
    const everybody = [...sorted(member, other, bot), ...people];
    const small = await mine('partial');
    expect(small).toMatchObject({ subscriber_count: FULL - 1, subscribers: everybody });
    expect(small).not.toHaveProperty('partial_subscribers');

    granted(await owner.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [guest.id] }));
    const large = await mine('partial');
    expect(large).toMatchObject({ subscriber_count: FULL, partial_subscribers: sorted(member, other, guest, bot) });
    expect(large).not.toHaveProperty('subscribers');
    const whole = await mine(true);
    expect(whole?.['subscribers']).toHaveLength(FULL);
    expect(whole).not.toHaveProperty('partial_subscribers');
    const without = await mine(false);
    expect(without).toMatchObject({ subscriber_count: FULL });
    expect(Object.keys(without ?? {}).filter((field) => /^(partial_)?subscribers$/.test(field))).toEqual([]);

    server.clock.advance(13 * DAY);
    await other.get('/users/me');
    server.clock.advance(2 * DAY);
    expect(await mine('partial')).toMatchObject({ partial_subscribers: sorted(member, other, bot) });
    const { subscriptions } = (await member.register({
      fetch_event_types: ['subscription'],
      include_subscribers: 'partial',
      client_capabilities: { notification_settings_null: true },
    })) as unknown as { subscriptions: Subscription[] };
    expect(subscriptions.find((one) => one.stream_id === id)).toEqual(await mine('partial'));
    await owner.delete(`/users/${other.id}`);
    expect(await mine('partial')).toMatchObject({ subscriber_count: FULL - 1 });
  });
});

describe('the number of subscribers', () => {
  it('excludes deactivated users, whenever they were subscribed', async () => {
    const [first, second] = [await server.person(), await server.person()];
    const name = fresh();
    const id = await server.channel(owner, { name, subscribers: [owner, first, second] });
    const count = async () => {
      const { streams } = granted(
        await member.get<{ streams: { stream_id: number; subscriber_count: number }[] }>('/streams'),
      );
      return streams.find(({ stream_id }) => stream_id === id)?.subscriber_count;
    };
    expect(await count()).toBe(3);
    const act = (subscriptions: unknown, principals: number[]) => ({ subscriptions, principals });
    await owner.delete('/users/me/subscriptions', act([name], [first.id]));
    expect(await count()).toBe(2);
    await owner.post('/users/me/subscriptions', act([{ name }], [first.id]));
    await owner.delete(`/users/${first.id}`);
    expect(await count()).toBe(2);
    await owner.delete('/users/me/subscriptions', act([name], [second.id]));
    expect(await count()).toBe(1);
  });
});
