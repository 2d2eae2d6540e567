import { addEmoji } from '../../support/requests/emoji';
import { eventsAfter, openQueue } from '../../support/events/client-queues';
import type { Caller, Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let ann: Person;
let bob: Person;
beforeAll(async () => {
  server = await startTestServer();
  [ann, bob] = [await server.person(), await server.person()];
});
afterAll(() => server.close());

const CAR = { emoji_name: 'car', emoji_code: '1f697', reaction_type: 'unicode_emoji' };
const NONE = { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' };
const change = (by: Caller, params: Params, of: number | string = 'me') => by.post(`/users/${of}/status`, params);
const statusOf = async (by: Caller, of: Pick<Person, 'id'>) =>
  granted(await by.get<{ status: object }>(`/users/${of.id}/status`)).status;
const initial = async (by: Person) => (await by.register({ fetch_event_types: ['user_status'] }))['user_status'];
const refused = (msg: string) => ({ status: 400, body: { result: 'error', code: 'BAD_REQUEST', msg } });
const eventsOf = async (by: Person, act: () => Promise<unknown>) =>
  (await eventsAfter([await openQueue(by, { event_types: ['user_status'] })], act))[0];

describe('the own status', () => {
  it('is in answers, in the initial state and in events, which have what changed', async () => {
    const events = await eventsOf(bob, async () => {
      granted(await change(ann, { status_text: ' at lunch ', emoji_name: 'car' }));
      granted(await change(ann, { status_text: 'at home' }));
      granted(await change(ann, { emoji_name: 'car', emoji_code: '1f697', reaction_type: 'unicode_emoji' }));
      expect(await statusOf(bob, ann)).toEqual({ status_text: 'at home', ...CAR });
      expect(await initial(bob)).toMatchObject({ [ann.id]: { status_text: 'at home', ...CAR } });
      granted(await change(ann, { status_text: '', emoji_name: '' }));
    });
    const event = { type: 'user_status', user_id: ann.id };
    expect(events).toEqual([
      { ...event, status_text: 'at lunch', ...CAR },
      { ...event, status_text: 'at home' },
      { ...event, status_text: '', ...NONE },
    ]);
    expect(await statusOf(bob, ann)).toEqual({});
    expect(await initial(bob)).not.toHaveProperty(String(ann.id));
  });

  it('may have an emoji of the organization, also one that is deactivated later', async () => {
    granted(await addEmoji(server.owner, 'rocket_cat'));
    granted(await change(ann, { emoji_name: 'rocket_cat' }));
    granted(await server.owner.delete('/realm/emoji/rocket_cat'));
    expect(await statusOf(bob, ann)).toMatchObject({ emoji_name: 'rocket_cat', reaction_type: 'realm_emoji' });
    expect(await change(bob, { emoji_name: 'rocket_cat' })).toMatchObject(refused("Emoji 'rocket_cat' does not exist"));
    granted(await change(ann, { emoji_name: '' }));
  });

  it.each<[Params, string]>([
    [{}, 'Client did not pass any new values.'],
    [{ emoji_code: '1f697' }, 'Client must pass emoji_name if they pass either emoji_code or reaction_type.'],
    [
      { status_text: 'x', reaction_type: 'unicode_emoji' },
      'Client must pass emoji_name if they pass either emoji_code or reaction_type.',
    ],
    [{ status_text: 'x'.repeat(61) }, 'status_text is too long (limit: 60 characters)'],
    [{ emoji_name: 'no_such_emoji' }, "Emoji 'no_such_emoji' does not exist"],
    [{ emoji_name: 'car', emoji_code: '1f389' }, 'Invalid emoji name.'],
    [{ emoji_name: 'car', reaction_type: 'emoji' }, 'Invalid reaction_type'],
  ])('is refused: %j', async (params, msg) => {
    expect(await change(ann, params)).toMatchObject(refused(msg));
    expect(await statusOf(bob, ann)).toEqual({});
  });

  it('turns presence off and on again, under its earlier name', async () => {
    const isOn = async () => (await ann.register({ fetch_event_types: ['user_settings'] }))['user_settings'];
    granted(await change(ann, { away: true }));
    expect(await isOn()).toMatchObject({ presence_enabled: false });
    granted(await change(ann, { away: false, status_text: 'back' }));
    expect(await isOn()).toMatchObject({ presence_enabled: true });
    expect(await statusOf(bob, ann)).toEqual({ status_text: 'back' });
    granted(await change(ann, { status_text: '' }));
  });

  it('has at most 60 characters, counted as people do', async () => {
    granted(await change(ann, { status_text: '😀'.repeat(60) }));
    granted(await change(ann, { status_text: '' }));
    expect((await change(server.anonymous, { status_text: 'x' })).status).toBe(401);
  });
});

describe('the status of others', () => {
  it('is changed by administrators, and of bots by their owner', async () => {
    const bot = await server.bot(ann);
    const events = await eventsOf(bob, async () => {
      granted(await change(server.owner, { status_text: 'on leave' }, bob.id));
      granted(await change(ann, { status_text: 'working' }, bot.id));
      granted(await change(server.owner, { emoji_name: 'car' }, bot.id));
      granted(await change(bot, { status_text: 'resting' }));
    });
    expect(events?.map(({ user_id }) => user_id)).toEqual([bob.id, bot.id, bot.id, bot.id]);
    expect(await statusOf(ann, bob)).toEqual({ status_text: 'on leave' });
    expect(await statusOf(ann, bot)).toEqual({ status_text: 'resting', ...CAR });
    expect(await change(bob, { status_text: 'x' }, bot.id)).toMatchObject(refused('Insufficient permission'));
  });

  it('is refused to everybody else, and for users who left or do not exist', async () => {
    const departed = await server.person();
    granted(await change(departed, { status_text: 'goodbye' }));
    granted(await server.owner.delete(`/users/${departed.id}`));
    expect(await change(ann, { status_text: 'x' }, bob.id)).toMatchObject(refused('Insufficient permission'));
    expect(await change(ann, { status_text: 'x' }, ann.id)).toMatchObject(refused('Insufficient permission'));
    expect(await change(server.owner, { status_text: 'x' }, departed.id)).toMatchObject(refused('User is deactivated'));
    const none = refused('Client did not pass any new values.');
    expect(await change(server.owner, { away: true }, bob.id)).toMatchObject(none);
    const { cross_realm_bots } = await server.owner.register({ fetch_event_types: ['realm_user'] });
    const [systemBot] = cross_realm_bots as readonly { readonly user_id: number }[];
    const system = await change(server.owner, { status_text: 'x' }, systemBot?.user_id);
    expect(system).toMatchObject(refused('No such user'));
    for (const id of [999_999, 0]) {
      expect(await change(server.owner, { status_text: 'x' }, id)).toMatchObject(refused('No such user'));
      expect(await ann.get(`/users/${id}/status`)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    }
    expect(await statusOf(ann, departed)).toEqual({ status_text: 'goodbye' });
    expect(await initial(ann)).not.toHaveProperty(String(departed.id));
    granted(await server.owner.post(`/users/${departed.id}/reactivate`));
    expect(await initial(ann)).toHaveProperty(String(departed.id));
  });

  it('is hidden from guests who may not see the user', async () => {
    const { user_groups } = granted(
      await server.owner.get<{ user_groups: { id: number; name: string }[] }>('/user_groups'),
    );
    const group = (name: string) => user_groups.find((one) => one.name === name)?.id ?? 0;
    const restrict = async (name: string) =>
      granted(await server.owner.patch('/realm', { can_access_all_users_group: { new: group(name) } }));
    const [guest, peer] = [await server.person({ role: 'guest' }), await server.person()];
    await server.channel(server.owner, { subscribers: [guest, peer] });
    granted(
      await server.owner.delete('/users/me/subscriptions', { subscriptions: ['general'], principals: [guest.id] }),
    );
    await restrict('role:members');
    const events = await eventsOf(guest, async () => {
      for (const one of [ann, peer, guest]) granted(await change(one, { status_text: 'here' }));
    });
    expect(events?.map(({ user_id }) => user_id)).toEqual([peer.id, guest.id]);
    const seen = Object.keys((await initial(guest)) as object).map(Number);
    expect(seen).toEqual(expect.arrayContaining([guest.id, peer.id]));
    expect(seen).not.toContain(ann.id);
    expect(await guest.get(`/users/${ann.id}/status`)).toMatchObject({ status: 400 });
    await restrict('role:everyone');
  });

  it('is erased with the person', async () => {
    const left = await server.person();
    granted(await change(left, { status_text: 'my secret plan', emoji_name: 'car' }));
    granted(await server.owner.delete(`/users/${left.id}`, { actions: { delete_profile: true } }));
    expect(await statusOf(ann, left)).toEqual({});
  });
});
