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

describe('GET /streams/{id}', () => {
  it('shows a channel to users who may see it, archived or not', async () => {
    const id = await kept({ name: 'shown', invite_only: true });
    expect(await channelSeen(keeper, id)).toMatchObject({ stream_id: id, name: 'shown', invite_only: true });
    expect(await channelSeen(administrator, id)).toMatchObject({ stream_id: id });
    granted(await keeper.delete(`/streams/${id}`));
    expect(await channelSeen(keeper, id)).toMatchObject({ stream_id: id, is_archived: true });
    expect(await member.get(`/streams/${id}`)).toMatchObject(refused());
    expect(await member.get('/streams/999999')).toMatchObject(refused());
  });
});

describe('GET /streams/{id}/email_address', () => {
  it('returns none, and checks who may post there', async () => {
    const id = await kept({ can_send_message_group: groups['administrators'], subscribers: [keeper, guest] });
    const hidden = await kept({ invite_only: true });
    const bot = await server.bot(administrator);
    const ask = (by: Person, channel: number, params: Params = {}) =>
      by.get(`/streams/${channel}/email_address`, params);
    for (const params of [{}, { sender_id: administrator.id }, { sender_id: bot.id }]) {
      expect(await ask(administrator, id, params)).toMatchObject({ status: 200, body: { email: '' } });
    }
    expect(await ask(administrator, id, { sender_id: member.id })).toMatchObject(refused());
    for (const by of [keeper, member, guest]) expect(await ask(by, id)).toMatchObject(refused());
    expect(await ask(keeper, hidden)).toMatchObject({ status: 200 });
    for (const by of [administrator, member]) expect(await ask(by, hidden)).toMatchObject(refused());
  });
});

describe('permission to change a channel', () => {
  it('requires an administrator of it or of the organization; only users who can see it learn that it exists', async () => {
    const open = await kept();
    const hidden = await kept({ invite_only: true });
    for (const by of [keeper, administrator, owner]) {
      expect(await changeChannel(by, open, { description: `by ${by.id}` })).toMatchObject({ status: 200 });
      expect(await changeChannel(by, hidden, { description: `by ${by.id}` })).toMatchObject({ status: 200 });
    }
    expect(await changeChannel(member, open, { description: 'mine' })).toMatchObject(
      refused('CANNOT_ADMINISTER_CHANNEL'),
    );
    expect(await changeChannel(guest, open, { description: 'mine' })).toMatchObject(refused());
    expect(await changeChannel(member, hidden, { description: 'mine' })).toMatchObject(refused());
    expect(await member.delete(`/streams/${open}`)).toMatchObject(refused('CANNOT_ADMINISTER_CHANNEL'));
    expect(await member.delete(`/streams/${hidden}`)).toMatchObject(refused());
  });

  it('changes nothing without parameters', async () => {
    const id = await kept();
    expect(await channelEvents(keeper, () => changeChannel(keeper, id, {}))).toEqual([]);
    expect(await channelEvents(keeper, () => changeChannel(keeper, id, { is_archived: true }))).toEqual([]);
  });
});

describe('name and description', () => {
  it('are sent with the name that clients have', async () => {
    const id = await kept({ name: 'before' });
    const received = await channelEvents(member, () =>
      changeChannel(keeper, id, { new_name: ' After ', description: 'of *it*\n all' }),
    );
    const common = { type: 'stream', op: 'update', stream_id: id };
    expect(received).toEqual([
      { ...common, property: 'name', name: 'before', value: 'After' },
      {
        ...common,
        property: 'description',
        name: 'After',
        value: 'of *it* all',
        rendered_description: '<p>of <em>it</em> all</p>',
      },
    ]);
    expect(await channelSeen(member, id)).toMatchObject({ name: 'After', description: 'of *it* all' });
    expect((await member.get('/get_stream_id', { stream: 'after' })).body).toMatchObject({ stream_id: id });
    expect(await member.get('/get_stream_id', { stream: 'before' })).toMatchObject(refused());
  });

  it('are refused when they are too long, unprintable, in use or the same', async () => {
    const id = await kept({ name: 'mine to name' });
    await kept({ name: 'Taken', invite_only: true });
    for (const params of [
      { new_name: 'mine to name' },
      { new_name: ' ' },
      { new_name: 'x'.repeat(61) },
      { new_name: 'a\u0007' },
      { description: 'x'.repeat(1025) },
    ]) {
      expect(await changeChannel(keeper, id, params)).toMatchObject(refused());
    }
    expect(await changeChannel(keeper, id, { new_name: 'taken' })).toMatchObject(
      refused('CHANNEL_ALREADY_EXISTS', 409),
    );
    expect(await changeChannel(keeper, id, { new_name: 'Mine To Name' })).toMatchObject({ status: 200 });
  });

  it('give a name to one of several concurrent requests, and free the old name', async () => {
    const ids = await Promise.all([1, 2, 3].map((n) => kept({ name: `rival ${n}` })));
    const answers = await Promise.all(ids.map((id) => changeChannel(keeper, id, { new_name: 'The One' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const freed = `rival ${answers.findIndex(({ status }) => status === 200) + 1}`;
    expect((await keeper.post('/channels/create', { name: freed, subscribers: [] })).status).toBe(200);
  });
});

describe('notices of changes', () => {
  it('are posted in the channel if the organization enables them, one for each change', async () => {
    const id = await kept({ name: 'noticed', subscribers: [keeper, member] });
    const noticesIn = async () => {
      const asked = { narrow: [{ operator: 'channel', operand: id }], anchor: 'newest', num_before: 20 };
      const { messages } = granted(
        await member.get<{ messages: { subject: string; content: string; flags: string[] }[] }>('/messages', {
          ...asked,
          apply_markdown: false,
        }),
      );
      return messages;
    };
    granted(await changeChannel(keeper, id, { description: 'quietly' }));
    expect(await noticesIn()).toEqual([]);
    granted(await owner.patch('/realm', { send_channel_events_messages: true }));
    const changes = [
      { new_name: 'noted' },
      { description: 'aloud' },
      { is_private: true },
      { can_send_message_group: { new: groups['members'] } },
      { can_resolve_topics_group: { new: groups['members'] } },
      { topics_policy: 'disable_empty_topic' },
    ];
    for (const params of changes) granted(await changeChannel(keeper, id, params));
    granted(await changeChannel(owner, id, { message_retention_days: 'unlimited' }));
    granted(await keeper.delete(`/streams/${id}`));
    granted(await changeChannel(keeper, id, { is_archived: false }));
    const messages = await noticesIn();
    expect(messages.map(({ subject }) => subject)).toEqual(Array(8).fill('channel events'));
    expect(messages.map(({ content }) => content).join('\n')).toMatch(
      /noticed.*noted.*aloud.*private.*send messages.*use of topics.*for ever.*archived.*out of the archive/s,
    );
    granted(await owner.patch('/realm', { send_channel_events_messages: false }));
  });
});

describe('parameters of a channel update', () => {
  it('keep quotes, treat null days as absent, and accept old values as they are shown', async () => {
    const id = await kept();
    granted(await changeChannel(keeper, id, { description: '"Less is more"' }));
    expect((await channelSeen(keeper, id))['description']).toBe('"Less is more"');
    granted(await changeChannel(keeper, id, { message_retention_days: 'null' }));
    const deactivated = await server.person();
    granted(await changeChannel(keeper, id, { can_send_message_group: { new: only(keeper, deactivated) } }));
    granted(await owner.delete(`/users/${deactivated.id}`));
    const old = (await channelSeen(keeper, id))['can_send_message_group'];
    expect(old).toEqual(only(keeper));
    expect(await changeChannel(keeper, id, { can_send_message_group: { new: groups['members'], old } })).toMatchObject({
      status: 200,
    });
  });

  it('may unarchive it and make it a default at once, but cannot give permissions to deactivated users', async () => {
    const id = await server.channel(owner);
    granted(await owner.delete(`/streams/${id}`));
    expect(await changeChannel(owner, id, { is_archived: false, is_default_stream: true })).toMatchObject({
      status: 200,
    });
    const deactivated = await server.person();
    const left = await server.channel(owner, { invite_only: true, subscribers: [deactivated] });
    granted(await owner.delete(`/users/${deactivated.id}`));
    granted(await owner.delete(`/streams/${left}`));
    expect(await changeChannel(owner, left, { is_archived: false })).toMatchObject(refused());
  });

  it('are checked in the order of the contract: a name in use before settings', async () => {
    const input = { name: 'general', subscribers: [], can_send_message_group: 99_999 };
    expect(await owner.post('/channels/create', input)).toMatchObject(refused('CHANNEL_ALREADY_EXISTS', 409));
  });
});
