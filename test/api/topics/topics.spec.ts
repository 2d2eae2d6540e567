import { Unsubscribed, membersStream } from '@annals/channels';
import type { SystemActor } from '@annals/kernel';
import type { ChannelId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let guest: Person;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.person();
  guest = await server.person({ role: 'guest' });
});
afterAll(() => server.close());

interface Topic {
  readonly name: string;
  readonly max_id: number;
}
const refused = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } };
const ask = (by: Person, channel: number | string, allow_empty_topic_name?: boolean) =>
  by.get<{ topics: Topic[] }>(`/users/me/${channel}/topics`, { allow_empty_topic_name });
const topics = async (by: Person, channel: ChannelId, allowEmpty?: boolean) =>
  granted(await ask(by, channel, allowEmpty)).topics;
const names = async (by: Person, channel: ChannelId) => (await topics(by, channel, true)).map(({ name }) => name);
const post = async (by: Person, to: ChannelId, topic: string, content = 'hello') =>
  granted(await by.post<{ id: number }>('/messages', { type: 'channel', to, topic, content })).id;

/** As no request can yet. */
async function leave(channelId: ChannelId, { id }: Person): Promise<void> {
  const origin = { client: 'spec', correlation: '00000000-0000-4000-8000-000000000001', address: null };
  await server.kernel.work.run({ realmId: 1, userId: null, origin } as SystemActor, async (work) => {
    work.append(membersStream(channelId), [fact(Unsubscribed, { channelId, userIds: [id] })]);
  });
}

describe('GET /users/me/{stream_id}/topics', () => {
  it('returns the topics with their newest message, newest first', async () => {
    const channel = await server.channel(owner);
    expect(await topics(owner, channel)).toEqual([]);
    const [lunch] = [await post(owner, channel, 'lunch'), await post(owner, channel, 'tea')];
    expect(await names(owner, channel)).toEqual(['tea', 'lunch']);
    const later = await post(owner, channel, 'lunch');
    expect(await topics(owner, channel)).toMatchObject([{ name: 'lunch', max_id: later }, { name: 'tea' }]);
    expect(later).toBeGreaterThan(lunch);
  });

  it('has one entry for a topic in any letter case, spelled as most recently', async () => {
    const channel = await server.channel(owner);
    for (const topic of ['Lunch', 'lunch', 'tea', 'LUNCH']) await post(owner, channel, topic);
    expect(await names(owner, channel)).toEqual(['LUNCH', 'tea']);
    const last = await post(owner, channel, 'Lunch');
    expect((await topics(owner, channel))[0]).toEqual({ name: 'Lunch', max_id: last });
  });

  it('names the empty topic as the client supports it', async () => {
    const channel = await server.channel(owner);
    await post(owner, channel, '');
    expect(await topics(owner, channel)).toMatchObject([{ name: 'general chat' }]);
    expect(await topics(owner, channel, false)).toMatchObject([{ name: 'general chat' }]);
    expect(await topics(owner, channel, true)).toMatchObject([{ name: '' }]);
  });

  it('is allowed to all readers of the channel, subscribed or not', async () => {
    const open = await server.channel(owner);
    await post(owner, open, 'lunch');
    expect(await names(member, open)).toEqual(['lunch']);
    expect(await ask(guest, open)).toMatchObject(refused);
    const shared = await server.channel(owner, {
      invite_only: true,
      history_public_to_subscribers: true,
      can_subscribe_group: { direct_members: [member.id], direct_subgroups: [] },
    });
    await post(owner, shared, 'plans');
    expect(await names(member, shared)).toEqual(['plans']);
    expect(await ask(await server.person({ role: 'administrator' }), shared)).toMatchObject(refused);
  });

  it('lists only topics with received messages where history is protected', async () => {
    const newcomer = await server.person();
    const channel = await server.channel(owner, { name: 'vault', invite_only: true });
    const [early] = [await post(owner, channel, 'before'), await post(owner, channel, 'both')];
    granted(
      await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'vault' }], principals: [newcomer.id] }),
    );
    expect(await topics(newcomer, channel)).toEqual([]);
    const [seen, own] = [await post(owner, channel, 'Both'), await post(newcomer, channel, 'mine')];
    expect(await topics(newcomer, channel)).toEqual([
      { name: 'mine', max_id: own },
      { name: 'Both', max_id: seen },
    ]);
    expect(await names(owner, channel)).toEqual(['mine', 'Both', 'before']);
    expect(early).toBeLessThan(seen);
  });

  it('keeps topics with messages received while subscribed, or by a mention', async () => {
    const insider = await server.person({ name: 'Ina' });
    const group = { direct_members: [insider.id], direct_subgroups: [] };
    const input = { invite_only: true, can_subscribe_group: group, subscribers: [owner, insider] };
    const channel = await server.channel(owner, input);
    const there = await post(owner, channel, 'there');
    await leave(channel, insider);
    await post(owner, channel, 'there');
    await post(owner, channel, 'gone');
    const called = await post(owner, channel, 'called', '@**Ina** look');
    await post(owner, channel, 'called');
    expect(await topics(insider, channel)).toEqual([
      { name: 'called', max_id: called },
      { name: 'there', max_id: there },
    ]);
  });

  it.each([999_999, 2 ** 40, 0])('refuses the unknown channel %s', async (channel) => {
    expect(await ask(owner, channel)).toMatchObject(refused);
  });
});
