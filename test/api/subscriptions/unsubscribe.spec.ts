import type { Answer, Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { startWithUsers } from '../../support/server/start-with-users';
import { only } from '../../support/requests/groups';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import type { Left } from '../../support/requests/subscriptions';
import { unsubscribe } from '../../support/requests/subscriptions';

let server: TestServer;
let owner: Person;
let administrator: Person;
let member: Person;
let other: Person;
let guest: Person;
beforeAll(async () => ({ server, owner, administrator, member, other, guest } = await startWithUsers()));
afterAll(() => server.close());

let made = 0;
const refused = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } };
const fresh = () => `channel ${++made}`;
const left = ({ status, body: { removed, not_removed } }: Answer<Left>) => ({ status, removed, not_removed });
const took = (removed: string[], not_removed: string[] = []) => ({ status: 200, removed, not_removed });
async function channel(by: Person, subscribers: readonly Person[], more: Params = {}) {
  const name = fresh();
  return { name, id: await server.channel(by, { name, subscribers, ...more }) };
}
const channelsOf = async (who: Person) =>
  granted(await who.get<{ subscriptions: { name: string }[] }>('/users/me/subscriptions')).subscriptions.map(
    ({ name }) => name,
  );

describe('DELETE /users/me/subscriptions', () => {
  it('unsubscribes the caller from channels by name, in any letter case and with surrounding blanks', async () => {
    const [one, two] = [await channel(owner, [owner, member]), await channel(owner, [owner])];
    const names = [` ${one.name.toUpperCase()} `, two.name, one.name];
    expect(left(await unsubscribe(member, names))).toEqual(took([one.name], [two.name]));
    expect(await channelsOf(member)).not.toContain(one.name);
    expect(left(await unsubscribe(member, names, { principals: [] }))).toEqual(took([], [one.name, two.name]));
    expect(left(await unsubscribe(member, []))).toEqual(took([]));
  });

  it('is allowed to guests', async () => {
    const { name } = await channel(owner, [owner, guest]);
    expect(left(await unsubscribe(guest, [name]))).toEqual(took([name]));
    expect(await channelsOf(guest)).not.toContain(name);
  });

  it('repeats names once for each user and channel', async () => {
    const one = await channel(owner, [member, other]);
    const two = await channel(owner, [member]);
    const { body } = await unsubscribe(owner, [one.name, two.name], { principals: [member.id, other.id, member.id] });
    expect([...body.removed].sort()).toEqual([one.name, one.name, two.name].sort());
    expect(body.not_removed).toEqual([two.name]);
  });

  it('keeps a private channel when its last subscriber leaves', async () => {
    const { id, name } = await channel(member, [member], { invite_only: true });
    expect(left(await unsubscribe(member, [name]))).toEqual(took([name]));
    const { streams } = granted(
      await owner.get<{ streams: { stream_id: number; is_archived: boolean; subscriber_count: number }[] }>(
        '/streams',
        {
          include_all: true,
        },
      ),
    );
    expect(streams.find(({ stream_id }) => stream_id === id)).toMatchObject({
      is_archived: false,
      subscriber_count: 0,
    });
  });

  describe('refuses, and changes nothing,', () => {
    it.each<[string, unknown]>([
      ['no list', undefined],
      ['a text', 'general'],
      ['malformed JSON', '["general"'],
      ['numbers', [1]],
      ['objects', [{ name: 'general' }]],
      ['null', [null]],
    ])('%s', async (_, subscriptions) => {
      const { status, body } = await unsubscribe(member, subscriptions);
      expect(status).toBe(400);
      expect(body.code).toMatch(/^(BAD_REQUEST|REQUEST_VARIABLE_MISSING)$/);
    });

    it('a name of no channel that the caller can see, repeated as it was sent', async () => {
      const { name } = await channel(owner, [member]);
      const hidden = await channel(owner, [owner], { invite_only: true });
      for (const stream of [' no such channel ', '', 'x'.repeat(300), hidden.name.toUpperCase()]) {
        const { status, body } = await unsubscribe(member, [name, stream]);
        expect({ status, code: body.code, stream: (body as unknown as { stream: string }).stream }).toEqual({
          status: 400,
          code: 'STREAM_DOES_NOT_EXIST',
          stream,
        });
      }
      expect(await channelsOf(member)).toContain(name);
      expect(left(await unsubscribe(administrator, [hidden.name]))).toEqual(took([], [hidden.name]));
    });

    it('unknown users, even among known ones', async () => {
      const deactivated = await server.person();
      const { name } = await channel(owner, [member, deactivated]);
      await owner.delete(`/users/${deactivated.id}`);
      const unknown = [
        [deactivated.id],
        [member.id, deactivated.id],
        [999_999],
        ['nobody@example.com'],
        [deactivated.email],
      ];
      for (const principals of [...unknown, [member.id, 'x'], {}, 'x', [1.5], [null]]) {
        expect(await unsubscribe(owner, [name], { principals })).toMatchObject(refused);
      }
      expect(await channelsOf(member)).toContain(name);
    });
  });

  describe('of others', () => {
    it('is allowed to administrators in every channel, by id or by email', async () => {
      const open = await channel(owner, [member]);
      const hidden = await channel(owner, [member, other], { invite_only: true });
      const by = (principals: unknown) => unsubscribe(administrator, [open.name, hidden.name], { principals });
      expect(left(await by([member.id]))).toEqual(took([open.name, hidden.name]));
      expect(left(await by([other.email.toUpperCase()]))).toEqual(took([hidden.name], [open.name]));
    });

    it('is allowed to no other users, even if they administer the channel', async () => {
      const { name } = await channel(member, [member, other, guest]);
      for (const by of [member, guest]) {
        expect(await unsubscribe(by, [name], { principals: [other.id] })).toMatchObject(refused);
        expect(await unsubscribe(by, [name], { principals: [by.id, other.id] })).toMatchObject(refused);
      }
      expect(await channelsOf(other)).toContain(name);
      expect(await channelsOf(member)).toContain(name);
    });

    it('is allowed to owners of bots, in channels they can see, subscribed or not', async () => {
      const [mine, theirs] = [await server.bot(member), await server.bot(other)];
      const open = await channel(owner, [member, mine, theirs]);
      const hidden = await channel(owner, [mine], { invite_only: true });
      const act = (names: string[], ...who: Person[]) =>
        unsubscribe(member, names, { principals: who.map(({ id }) => id) });
      expect(await act([open.name], theirs)).toMatchObject(refused);
      expect(await act([open.name], mine, theirs)).toMatchObject(refused);
      expect(await act([hidden.name], mine)).toMatchObject({ body: { code: 'STREAM_DOES_NOT_EXIST' } });
      expect(left(await act([open.name], mine, member))).toEqual(took([open.name, open.name]));
      const unseen = await channel(owner, [mine]);
      expect(left(await act([unseen.name], mine))).toEqual(took([unseen.name]));
    });

    it('is allowed to users with permission in all the channels, as long as they can see them', async () => {
      const lets = { can_remove_subscribers_group: only(member, guest) };
      const open = await channel(owner, [other, guest], lets);
      const hidden = await channel(owner, [other, member], { invite_only: true, ...lets });
      const closed = await channel(owner, [other]);
      const unknown = await channel(owner, [other], { invite_only: true, ...lets });
      const act = (by: Person, ...names: string[]) => unsubscribe(by, names, { principals: [other.id] });
      expect(await act(member, open.name, closed.name)).toMatchObject(refused);
      expect(await act(guest, open.name)).toMatchObject(refused);
      expect(await act(member, open.name, unknown.name)).toMatchObject({ body: { stream: unknown.name } });
      expect(left(await act(member, open.name, hidden.name))).toEqual(took([open.name, hidden.name]));
    });
  });

  it('removes once for concurrent requests', async () => {
    const { name } = await channel(owner, [member]);
    const answers = await Promise.all(Array.from({ length: 6 }, () => unsubscribe(member, [name])));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(answers.flatMap(({ body }) => body.removed)).toEqual([name]);
    expect(answers.flatMap(({ body }) => body.not_removed)).toEqual(Array(5).fill(name));
  });

  it('restores the old settings and color on return, whatever is requested', async () => {
    const name = fresh();
    granted(await member.post('/users/me/subscriptions', { subscriptions: [{ name, color: '#123456' }] }));
    const mine = async () =>
      granted(
        await member.get<{ subscriptions: { name: string; stream_id: number }[] }>('/users/me/subscriptions'),
      ).subscriptions.find((one) => one.name === name);
    const { stream_id = 0 } = (await mine()) ?? {};
    for (const [property, value] of Object.entries({ is_muted: true, pin_to_top: true, push_notifications: false })) {
      granted(await member.patch(`/users/me/subscriptions/${stream_id}`, { property, value }));
    }
    const before = await mine();
    expect(before).toMatchObject({ color: '#123456', is_muted: true, pin_to_top: true, push_notifications: false });
    await unsubscribe(member, [name]);
    const again = { subscriptions: [{ name, color: '#654321' }] };
    const [added] = await member.receive(() => member.post('/users/me/subscriptions', again), 'subscription');
    expect(added).toMatchObject({ op: 'add', subscriptions: [{ color: '#123456', is_muted: true }] });
    expect(await mine()).toEqual(before);
  });

  it('makes POST /register list the former subscriptions', async () => {
    const { id, name } = await channel(owner, [owner, member]);
    await unsubscribe(member, [name]);
    const options = { fetch_event_types: ['subscription'], include_subscribers: true };
    const { subscriptions, unsubscribed, never_subscribed } = (await member.register(options)) as unknown as Record<
      string,
      { stream_id: number; subscriber_count: number; subscribers: number[] }[]
    >;
    const ids = (list: { stream_id: number }[] | undefined) => (list ?? []).map(({ stream_id }) => stream_id);
    expect(ids(unsubscribed)).toContain(id);
    expect([...ids(subscriptions), ...ids(never_subscribed)]).not.toContain(id);
    expect(unsubscribed?.find(({ stream_id }) => stream_id === id)).toMatchObject({
      subscriber_count: 1,
      subscribers: [owner.id],
    });
  });
});
