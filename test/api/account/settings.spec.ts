import { granted } from '../../support/server/caller';
import type { Caller, Params } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let ann: Person;
let bob: Person;
beforeAll(async () => {
  server = await startTestServer();
  [ann, bob] = [await server.person({ name: 'Ann' }), await server.person({ name: 'Bob' })];
});
afterAll(() => server.close());

const change = (by: Caller, request: Params) => by.patch('/settings', request);
const settingsOf = async (by: Caller) =>
  (await by.register({ fetch_event_types: ['user_settings'] }))['user_settings'] as Record<string, unknown>;
const typing = (settings: Record<string, unknown>) => [
  settings['receives_typing_notifications'],
  settings['send_private_typing_notifications'],
  settings['send_stream_typing_notifications'],
];

describe('PATCH /settings', () => {
  it('changes settings, with one event each for the own clients only', async () => {
    const others = await bob.register({ event_types: ['user_settings'] });
    const request = { receives_typing_notifications: false, send_stream_typing_notifications: false };
    const events = await ann.receive(async () => {
      expect(granted(await change(ann, request))).toEqual({ result: 'success', msg: '' });
    }, 'user_settings');
    expect(events).toEqual([
      {
        id: expect.any(Number) as number,
        type: 'user_settings',
        op: 'update',
        property: 'receives_typing_notifications',
        value: false,
      },
      {
        id: expect.any(Number) as number,
        type: 'user_settings',
        op: 'update',
        property: 'send_stream_typing_notifications',
        value: false,
      },
    ]);
    expect(await bob.events(others)).toEqual([]);
    expect(typing(await settingsOf(ann))).toEqual([false, true, false]);
    expect(typing(await settingsOf(bob))).toEqual([true, true, true]);
  });

  it.each(['notifications', 'display'])('has the older name PATCH /settings/%s', async (name) => {
    const events = await bob.receive(async () => {
      granted(await bob.patch(`/settings/${name}`, { enable_sounds: name === 'display' }));
    }, 'user_settings');
    expect(events).toMatchObject([{ property: 'enable_sounds', value: name === 'display' }]);
    expect(await bob.patch(`/settings/${name}`, { enable_sounds: 'loud' })).toMatchObject({ status: 400 });
    expect(await server.anonymous.patch(`/settings/${name}`, { enable_sounds: true })).toMatchObject({ status: 401 });
  });

  it('does not change the default settings', async () => {
    const state = await ann.register({ fetch_event_types: ['realm_user_settings_defaults'] });
    expect(state['realm_user_settings_defaults']).toMatchObject({ receives_typing_notifications: true });
    expect(state).not.toHaveProperty('user_settings');
  });

  it('sends no event for an unchanged setting', async () => {
    granted(await change(ann, { send_private_typing_notifications: false }));
    const before = await server.kernel.events.heads([1 as never]);
    const events = await ann.receive(
      async () =>
        granted(await change(ann, { send_private_typing_notifications: false, receives_typing_notifications: false })),
      'user_settings',
    );
    expect(events).toEqual([]);
    expect(await server.kernel.events.heads([1 as never])).toEqual(before);
    granted(await change(ann, { send_private_typing_notifications: 'null' }));
    expect(typing(await settingsOf(ann))).toEqual([false, false, false]);
  });

  it('reports unsupported settings as ignored parameters', async () => {
    const answer = granted(
      await change(bob, {
        emojiset_choices: '[]',
        receives_typing_notifications: false,
        nonsense: 'x',
      }),
    );
    expect(answer).toEqual({
      result: 'success',
      msg: '',
      ignored_parameters_unsupported: ['emojiset_choices', 'nonsense'],
    });
    expect(typing(await settingsOf(bob))).toEqual([false, true, true]);
    granted(await change(bob, { receives_typing_notifications: true }));
  });

  it.each(['True', '1', 'yes', '', '"true"', '[true]', '0'])('refuses %j and changes nothing', async (value) => {
    const request = { send_private_typing_notifications: false, receives_typing_notifications: value };
    expect(await change(bob, request)).toMatchObject({ status: 400, body: { result: 'error', code: 'BAD_REQUEST' } });
    expect(typing(await settingsOf(bob))).toEqual([true, true, true]);
  });

  it('is allowed to guests and bots, and requires a login', async () => {
    const guest = await server.person({ role: 'guest' });
    const bot = await server.bot(ann);
    for (const one of [guest, bot]) {
      granted(await change(one, { send_private_typing_notifications: false }));
      expect(typing(await settingsOf(one))).toEqual([true, false, true]);
    }
    expect(await change(server.anonymous, {})).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
  });
});
