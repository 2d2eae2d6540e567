import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { startWithUsers } from '../../support/server/start-with-users';
import type { Channel } from '../../support/requests/channels';
import { WEB_PUBLIC, changeChannel, channelEvents } from '../../support/requests/channels';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let keeper: Person;
beforeAll(async () => {
  ({ server, owner, member, other: keeper } = await startWithUsers(WEB_PUBLIC));
});
afterAll(() => server.close());

const refused = (code = 'BAD_REQUEST', status = 400) => ({ status, body: { result: 'error', code } });
const kept = (params: Params = {}) => server.channel(keeper, params);

describe('DELETE /streams/{id}', () => {
  const KNOWING = { client_capabilities: { notification_settings_null: true, archived_channels: true } };

  it('archives a channel: it refuses messages and keeps all content', async () => {
    const id = await kept({ name: 'finished', subscribers: [keeper, member] });
    const message = { type: 'channel', to: id, topic: 't', content: 'the end' };
    const { id: last } = granted(await keeper.post<{ id: number }>('/messages', message));
    granted(await keeper.delete(`/streams/${id}`));
    expect(await keeper.post('/messages', message)).toMatchObject(refused());
    expect(await keeper.patch(`/messages/${last}`, { content: 'no' })).toMatchObject(refused());
    expect((await member.get(`/messages/${last}`)).status).toBe(200);
    expect(await keeper.delete(`/streams/${id}`)).toMatchObject(refused());
    expect(await keeper.post('/channels/create', { name: 'Finished', subscribers: [] })).toMatchObject(
      refused('CHANNEL_ALREADY_EXISTS', 409),
    );
    const listed = (await member.get<{ streams: Channel[] }>('/streams')).body.streams.map(({ name }) => name);
    expect(listed).not.toContain('finished');
    granted(await keeper.patch(`/streams/${id}`, { is_archived: false }));
    expect((await keeper.post('/messages', message)).status).toBe(200);
    expect(await keeper.patch(`/streams/${id}`, { is_archived: false })).toMatchObject(refused());
  });

  it('is sent as an update, or as a deletion to clients without the archive capability', async () => {
    const id = await kept({ name: 'ending', subscribers: [keeper, member] });
    const old = await member.register({ event_types: ['stream', 'subscription'] });
    const received = await channelEvents(member, () => keeper.delete(`/streams/${id}`), KNOWING);
    const update = { type: 'stream', op: 'update', property: 'is_archived', stream_id: id, name: 'ending' };
    expect(received).toEqual([{ ...update, value: true }]);
    const back = await channelEvents(member, () => changeChannel(keeper, id, { is_archived: false }), KNOWING);
    expect(back).toEqual([{ ...update, value: false }]);
    expect(await member.events(old)).toMatchObject([
      { type: 'stream', op: 'delete', stream_ids: [id] },
      { type: 'stream', op: 'create', streams: [{ stream_id: id }] },
      { type: 'subscription', op: 'add', subscriptions: [{ stream_id: id, subscriber_count: 2 }] },
    ]);
  });

  it('removes the channel from settings of the organization and the default channels', async () => {
    const id = await server.channel(owner, { is_default_stream: true });
    granted(await owner.patch('/realm', { new_stream_announcements_stream_id: id }));
    const received = await channelEvents(owner, () => owner.delete(`/streams/${id}`), KNOWING);
    expect(received).toMatchObject([
      { type: 'realm', op: 'update_dict', property: 'default', data: { new_stream_announcements_stream_id: -1 } },
      { type: 'default_streams' },
      { type: 'stream', property: 'is_archived' },
    ]);
    expect(received[1]?.['default_streams']).not.toContain(id);
  });

  it('keeps a private channel without subscribers in the archive', async () => {
    const id = await kept({ invite_only: true, subscribers: [] });
    granted(await keeper.delete(`/streams/${id}`));
    expect(await changeChannel(keeper, id, { is_archived: false })).toMatchObject(refused());
  });
});

describe('what a user may no longer see', () => {
  it('is not sent late: events carry the present texts', async () => {
    const id = await kept({ name: 'open book', subscribers: [keeper, member], invite_only: true });
    const queue = await member.register({ event_types: ['stream', 'subscription'] });
    granted(await keeper.delete('/users/me/subscriptions', { subscriptions: ['open book'] }));
    granted(await owner.delete('/users/me/subscriptions', { subscriptions: ['open book'], principals: [member.id] }));
    granted(await changeChannel(keeper, id, { new_name: 'closed book', description: 'a secret' }));
    const received = await member.events(queue);
    expect(received).toMatchObject([
      { op: 'peer_remove' },
      { op: 'remove', subscriptions: [{ name: 'open book', stream_id: id }] },
      { op: 'delete', stream_ids: [id] },
    ]);
    expect(JSON.stringify(received)).not.toMatch(/closed|secret/);
  });

  it('is not deleted twice for clients without the archive capability', async () => {
    const id = await kept({ name: 'ended once', subscribers: [keeper, member], invite_only: true });
    const queue = await member.register({ event_types: ['stream', 'subscription'] });
    granted(await keeper.delete(`/streams/${id}`));
    granted(await owner.delete('/users/me/subscriptions', { subscriptions: ['ended once'], principals: [member.id] }));
    expect(await member.events(queue)).toMatchObject([{ type: 'stream', op: 'delete', stream_ids: [id] }]);
  });
});
