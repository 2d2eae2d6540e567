import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { startWithUsers } from '../../support/server/start-with-users';
import { WEB_PUBLIC, changeChannel, channelSeen, channelEvents } from '../../support/requests/channels';
import { only } from '../../support/requests/groups';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let administrator: Person;
let member: Person;
let guest: Person;
let groups: Readonly<Record<string, number>>;
let keeper: Person;
beforeAll(async () => {
  ({ server, owner, administrator, member, guest, groups, other: keeper } = await startWithUsers(WEB_PUBLIC));
});
afterAll(() => server.close());

const refused = (code = 'BAD_REQUEST', status = 400) => ({ status, body: { result: 'error', code } });
const kept = (params: Params = {}) => server.channel(keeper, params);

describe('privacy', () => {
  it('hides a channel from all but subscribers and administrators, and can be undone', async () => {
    const id = await kept({ name: 'now and then', subscribers: [keeper, guest] });
    const toPrivate = () => changeChannel(keeper, id, { is_private: true });
    const update = {
      ...{ type: 'stream', op: 'update', property: 'invite_only', stream_id: id, name: 'now and then' },
      ...{ value: true, history_public_to_subscribers: false, is_web_public: false },
    };
    const queue = await member.register({ event_types: ['stream', 'subscription'] });
    expect(await channelEvents(guest, toPrivate)).toEqual([update]);
    const lost = (await member.events(queue)).map(({ id: _, ...event }) => event);
    expect(lost).toEqual([{ type: 'stream', op: 'delete', streams: [{ stream_id: id }], stream_ids: [id] }]);
    expect(await member.get(`/streams/${id}`)).toMatchObject(refused());
    const gained = await channelEvents(member, () => changeChannel(keeper, id, { is_private: false }));
    expect(gained).toMatchObject([
      { type: 'stream', op: 'create', streams: [{ stream_id: id, invite_only: false, subscriber_count: 0 }] },
      { type: 'subscription', op: 'peer_add', stream_ids: [id] },
    ]);
    expect(gained[1]?.['user_ids']).toEqual([keeper.id, guest.id].sort((a, b) => a - b));
    expect(await channelSeen(member, id)).toMatchObject({ history_public_to_subscribers: true });
  });

  it('requires access to the content, and the permission to create channels of the new kind', async () => {
    const id = await kept({ invite_only: true });
    expect(await changeChannel(administrator, id, { is_private: false })).toMatchObject(refused());
    const may = (setting: string, group: string) =>
      owner.patch('/realm', { [setting]: { new: groups[group] } }).then(granted);
    await may('can_create_public_channel_group', 'administrators');
    expect(await changeChannel(keeper, id, { is_private: false })).toMatchObject(refused());
    await may('can_create_public_channel_group', 'members');
    expect(await changeChannel(keeper, id, { is_private: false })).toMatchObject({ status: 200 });
    await may('can_create_private_channel_group', 'administrators');
    expect(await changeChannel(keeper, id, { is_private: true })).toMatchObject(refused());
    await may('can_create_private_channel_group', 'members');
  });

  it('has four valid combinations only', async () => {
    const id = await kept();
    expect(await changeChannel(keeper, id, { history_public_to_subscribers: false })).toMatchObject(refused());
    expect(await changeChannel(keeper, id, { is_private: true, is_web_public: true })).toMatchObject(refused());
    const mixed = { is_private: false, history_public_to_subscribers: false };
    expect(await changeChannel(keeper, id, mixed)).toMatchObject(refused());
  });

  it('lets everyone create topics where history becomes protected', async () => {
    const id = await kept({ can_create_topic_group: groups['members'] });
    expect(await changeChannel(keeper, id, { is_private: true })).toMatchObject({
      status: 400,
      body: { parameters: 'history_public_to_subscribers, can_create_topic_group' },
    });
    const both = { is_private: true, can_create_topic_group: { new: groups['everyone'] } };
    expect(await changeChannel(keeper, id, both)).toMatchObject({ status: 200 });
    const back = { can_create_topic_group: { new: groups['members'] } };
    expect(await changeChannel(keeper, id, back)).toMatchObject(refused());
  });

  it('opens a channel to the web under three conditions', async () => {
    const id = await kept({ name: 'for the web' });
    const open = (by: Person) => changeChannel(by, id, { is_web_public: true });
    expect(await open(owner)).toMatchObject(refused());
    granted(await owner.patch('/realm', { enable_spectator_access: true }));
    expect(await open(keeper)).toMatchObject(refused());
    const events = await channelEvents(guest, () => open(owner));
    expect(events).toMatchObject([
      { op: 'create', streams: [{ stream_id: id, is_web_public: true }] },
      { type: 'subscription', op: 'peer_add', stream_ids: [id] },
    ]);
    const created = await owner.post('/channels/create', { name: 'web at once', subscribers: [], is_web_public: true });
    expect(created).toMatchObject({ status: 200 });
    granted(await owner.patch('/realm', { enable_spectator_access: false }));
  });

  it('stays private in the channel for moderation requests', async () => {
    const id = await server.channel(owner, { invite_only: true });
    granted(await owner.patch('/realm', { moderation_request_channel_id: id }));
    expect(await changeChannel(owner, id, { is_private: false })).toMatchObject(refused());
    granted(await owner.patch('/realm', { moderation_request_channel_id: -1 }));
    expect(await changeChannel(owner, id, { is_private: false })).toMatchObject({ status: 200 });
  });
});

describe('permissions of a channel', () => {
  it('change only if the expected old value is still right', async () => {
    const id = await kept({ name: 'permitting' });
    const setting = 'can_send_message_group';
    const mine = { new: groups['administrators'], old: groups['everyone'] };
    const common = { type: 'stream', op: 'update', stream_id: id, name: 'permitting' };
    expect(await channelEvents(member, () => changeChannel(keeper, id, { [setting]: mine }))).toEqual([
      { ...common, property: setting, value: groups['administrators'] },
      { ...common, property: 'stream_post_policy', value: 2 },
      { ...common, property: 'is_announcement_only', value: true },
    ]);
    expect(await changeChannel(keeper, id, { [setting]: mine })).toMatchObject(refused('EXPECTATION_MISMATCH'));
    const same = { new: groups['administrators'] };
    expect(await channelEvents(member, () => changeChannel(keeper, id, { [setting]: same }))).toEqual([]);
    const people = { new: only(member, keeper) };
    expect(await channelEvents(member, () => changeChannel(keeper, id, { [setting]: people }))).toEqual([
      { ...common, property: setting, value: { ...only(member, keeper) } },
      { ...common, property: 'stream_post_policy', value: 1 },
      { ...common, property: 'is_announcement_only', value: false },
    ]);
  });

  it.each([
    ['an unknown group', { can_send_message_group: { new: 99_999 } }],
    ['the internet', { can_send_message_group: { new: 8 } }],
    ['a shape of its own', { can_send_message_group: { new: [1] } }],
    ['a bare value', { can_send_message_group: 1 }],
    ['everyone, where no guest may', { can_remove_subscribers_group: { new: 7 } }],
    ['the deletion of messages, by who may not set that', { can_delete_own_message_group: { new: 7 } }],
  ])('are refused for %s', async (_, params) => {
    const id = await kept();
    expect(await changeChannel(keeper, id, params)).toMatchObject(refused());
  });

  it('that give access to the content are changed by users with access', async () => {
    const id = await kept({ invite_only: true });
    for (const setting of ['can_add_subscribers_group', 'can_subscribe_group']) {
      const params = { [setting]: { new: only(administrator) } };
      expect(await changeChannel(administrator, id, params)).toMatchObject(refused());
    }
    const open = { can_administer_channel_group: { new: groups['moderators'] } };
    expect(await changeChannel(administrator, id, open)).toMatchObject({ status: 200 });
  });

  it.each(['can_add_subscribers_group', 'can_administer_channel_group', 'can_subscribe_group'])(
    'named %s show and hide a private channel',
    async (setting) => {
      const id = await kept({ invite_only: true });
      const give = (...people: Person[]) => changeChannel(owner, id, { [setting]: { new: only(owner, ...people) } });
      granted(await keeper.post('/users/me/subscriptions', await naming(id, owner)));
      expect(await channelEvents(member, () => give(member))).toMatchObject([
        { type: 'stream', op: 'create', streams: [{ stream_id: id }] },
        { type: 'subscription', op: 'peer_add', stream_ids: [id] },
      ]);
      expect(await channelEvents(keeper, () => give())).toMatchObject([
        { op: 'update', property: setting, stream_id: id },
      ]);
      granted(await give(member));
      expect(await channelEvents(member, () => give())).toMatchObject([{ op: 'delete', stream_ids: [id] }]);
    },
  );

  const naming = async (id: number, person: Person) => ({
    subscriptions: [{ name: (await channelSeen(keeper, id)).name }],
    principals: [person.id],
  });
});
