import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let guest: Person;
let channel: number;
let second: number;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.person();
  guest = await server.person({ role: 'guest' });
  channel = await server.channel(owner, { name: 'first', subscribers: [owner, member, guest] });
  second = await server.channel(owner, { name: 'second', subscribers: [owner, member] });
});
afterAll(() => server.close());

const refused = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } };
const set = (by: Person, property: unknown, value: unknown, id = channel) =>
  by.patch(`/users/me/subscriptions/${id}`, { property, value });
const setAll = (by: Person, subscription_data: unknown) =>
  by.post('/users/me/subscriptions/properties', { subscription_data });
const own = async (who: Person, id = channel) =>
  granted(await who.get<{ subscriptions: Record<string, unknown>[] }>('/users/me/subscriptions')).subscriptions.find(
    ({ stream_id }) => stream_id === id,
  ) ?? {};
const SWITCHES = [
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
];

describe.each<[string, (by: Person, property: unknown, value: unknown, id?: number) => ReturnType<typeof set>]>([
  ['PATCH /users/me/subscriptions/{stream_id}', set],
  [
    'POST /users/me/subscriptions/properties',
    (by, property, value, stream_id = channel) => setAll(by, [{ stream_id, property, value }]),
  ],
])('%s', (_, change) => {
  it.each(SWITCHES)(
    'sets %s for the caller only, with an event for the caller only, even when nothing changes',
    async (name) => {
      for (const value of [true, false, false]) {
        let toOther: unknown = null;
        const events = await member.receive(async () => {
          toOther = await owner.receive(async () => {
            expect(await change(member, name, value)).toMatchObject({
              status: 200,
              body: { result: 'success', msg: '' },
            });
          }, 'subscription');
        }, 'subscription');
        const received = { type: 'subscription', op: 'update', property: name, value, stream_id: channel };
        expect(events).toEqual([{ id: events[0]?.id, ...received }]);
        expect(toOther).toEqual([]);
        expect(await own(member)).toMatchObject({ [name]: value });
      }
      expect((await own(owner))[name]).not.toBe(true);
    },
  );

  it.each([
    ['is_muted', true, true],
    ['is_muted', false, false],
    ['in_home_view', false, true],
    ['in_home_view', true, false],
  ])('%s %s sends two events', async (property, value, is_muted) => {
    const events = await member.receive(() => change(member, property, value), 'subscription');
    expect(events).toMatchObject([
      { op: 'update', property: 'in_home_view', value: !is_muted, stream_id: channel },
      { op: 'update', property: 'is_muted', value: is_muted, stream_id: channel },
    ]);
    expect(await own(member)).toMatchObject({ is_muted, in_home_view: !is_muted });
  });

  it.each([
    ['#abc', '#aabbcc'],
    ['#ABCDEF', '#abcdef'],
    ['#abcd', '#abcd00'],
  ])('reads %s as the color %s', async (value, color) => {
    const events = await member.receive(() => change(member, 'color', value), 'subscription');
    expect(events).toMatchObject([{ op: 'update', property: 'color', value: color, stream_id: channel }]);
    expect((await own(member))['color']).toBe(color);
  });

  it.each<[unknown, unknown]>([
    ['unknown', true],
    ['', true],
    ['toString', true],
    ['role', 'x'],
    ['color', true],
    ['color', 'red'],
    ['color', '#12'],
    ['color', '#1234567'],
    ['color', ''],
    ['is_muted', 'yes'],
    ['is_muted', 1],
    ['is_muted', null],
    ['pin_to_top', 'True'],
    ['in_home_view', null],
    ['push_notifications', '#abcdef'],
    [undefined, true],
    ['pin_to_top', undefined],
  ])('refuses to set %j to %j', async (property, value) => {
    const before = await own(member);
    const { status, body } = await change(member, property, value);
    expect(status).toBe(400);
    expect(body.code).toMatch(/^(BAD_REQUEST|REQUEST_VARIABLE_MISSING)$/);
    expect(await own(member)).toEqual(before);
  });

  it('refuses channels that the caller is not subscribed to or cannot see, and unknown channels', async () => {
    const open = await server.channel(owner, { name: `open ${Math.random()}`, subscribers: [owner] });
    const hidden = await server.channel(owner, { name: `hidden ${Math.random()}`, invite_only: true });
    for (const id of [open, hidden, 999_999]) {
      expect(await change(member, 'pin_to_top', true, id)).toMatchObject(refused);
    }
    await server.owner.delete('/users/me/subscriptions', { subscriptions: ['second'], principals: [member.id] });
    expect(await change(member, 'color', '#000000', second)).toMatchObject(refused);
    granted(await member.post('/users/me/subscriptions', { subscriptions: [{ name: 'second' }] }));
    expect((await own(member, second))['color']).not.toBe('#000000');
  });

  it('is allowed to guests', async () => {
    expect((await change(guest, 'pin_to_top', true)).status).toBe(200);
    expect(await own(guest)).toMatchObject({ pin_to_top: true });
  });
});

describe('POST /users/me/subscriptions/properties', () => {
  const change = (property: string, value: unknown, stream_id = channel) => ({ stream_id, property, value });

  it('applies all in order', async () => {
    const requests = [
      change('color', '#111111'),
      change('pin_to_top', true, second),
      change('color', '#222222'),
      change('in_home_view', false),
    ];
    const events = await member.receive(() => setAll(member, requests), 'subscription');
    expect(events.map(({ property, value, stream_id }) => [property, value, stream_id])).toEqual([
      ['color', '#111111', channel],
      ['pin_to_top', true, second],
      ['color', '#222222', channel],
      ['in_home_view', false, channel],
      ['is_muted', true, channel],
    ]);
    expect(await own(member)).toMatchObject({ color: '#222222', is_muted: true });
    expect((await setAll(member, [])).status).toBe(200);
  });

  it.each<[string, unknown[]]>([
    ['an unknown channel', [change('color', '#333333', 999_999)]],
    ['an unknown property', [change('unknown', true)]],
    ['a bad colour', [change('color', 'x')]],
    ['a missing value', [{ stream_id: 1, property: 'color' }]],
    ['a missing property', [{ stream_id: 1, value: true }]],
    ['a missing channel', [{ property: 'pin_to_top', value: true }]],
    ['a channel by name', [{ stream_id: 'first', property: 'pin_to_top', value: true }]],
    ['a text', ['color']],
  ])('applies none where one is %s', async (_, wrong) => {
    const before = await own(member);
    expect(await setAll(member, [change('color', '#444444'), ...wrong])).toMatchObject(refused);
    expect(await own(member)).toEqual(before);
  });

  it('refuses anything but a list', async () => {
    for (const data of ['[', '{}', change('color', '#555555'), 5])
      expect(await setAll(member, data)).toMatchObject(refused);
  });

  it('is shown by POST /register and in events', async () => {
    const options: Params = {
      fetch_event_types: ['subscription'],
      client_capabilities: { notification_settings_null: true },
    };
    await setAll(member, [change('desktop_notifications', true), change('email_notifications', false)]);
    const { subscriptions } = (await member.register(options)) as unknown as { subscriptions: Params[] };
    expect(subscriptions.find(({ stream_id }) => stream_id === channel)).toEqual(await own(member));
  });
});
