import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let group: (name: string) => number;
let people: Record<'owner' | 'admin' | 'moderator' | 'member' | 'guest' | 'sender', Person>;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  const { user_groups: groups } = granted(
    await owner.get<{ user_groups: { id: number; name: string }[] }>('/user_groups'),
  );
  group = (name) => groups.find((one) => one.name === `role:${name}`)?.id ?? 0;
  people = {
    owner,
    admin: await server.person({ role: 'administrator' }),
    moderator: await server.person({ role: 'moderator' }),
    member: await server.person(),
    guest: await server.person({ role: 'guest' }),
    sender: await server.person(),
  };
});
afterAll(() => server.close());

const refused = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } };
const done = { status: 200, body: { result: 'success', msg: '' } };
const subscribed = () => Object.values(people);
const post = async (by: Person, to: unknown, params: Params = {}) =>
  granted(await by.post<{ id: number }>('/messages', { type: 'channel', to, topic: 'lunch', content: 'x', ...params }))
    .id;
const write = (by: Person, to: Person[]) =>
  post(
    by,
    to.map(({ id }) => id),
    { type: 'direct' },
  );
const remove = async (by: Person, id: number) => {
  const { status, body } = await by.delete(`/messages/${id}`);
  return { status, body };
};
const organization = async (settings: Params) => granted(await owner.patch('/realm', settings));
const isThere = async (by: Person, id: number) => (await by.get(`/messages/${id}`)).status === 200;
const someone = () => ({ direct_members: [people.member.id], direct_subgroups: [] });

/** The users who may delete messages of `sender` in a channel to which all are subscribed. */
const EVERYBODY = ['owner', 'admin', 'moderator', 'member', 'guest', 'sender'] as const;
type Who = (typeof EVERYBODY)[number];
const RULES: readonly (readonly [name: string, realm: () => Params, channel: () => Params, may: readonly Who[]])[] = [
  ['as it is initially', () => ({}), () => ({}), ['owner', 'admin', 'sender']],
  [
    'the organization lets moderators delete anything',
    () => ({ can_delete_any_message_group: { new: group('moderators') } }),
    () => ({}),
    ['owner', 'admin', 'moderator', 'sender'],
  ],
  [
    'the organization lets somebody delete anything, and nobody their own',
    () => ({
      can_delete_any_message_group: { new: someone() },
      can_delete_own_message_group: { new: group('nobody') },
    }),
    () => ({}),
    ['member'],
  ],
  [
    'a guest is never let do so by the organization, even when named',
    () => ({ can_delete_any_message_group: { new: { direct_members: [people.guest.id], direct_subgroups: [] } } }),
    () => ({}),
    ['sender'],
  ],
  [
    'the channel lets somebody delete anything',
    () => ({ can_delete_any_message_group: { new: group('nobody') } }),
    () => ({ can_delete_any_message_group: someone() }),
    ['member', 'sender'],
  ],
  [
    'the channel lets everyone delete anything, guests included',
    () => ({
      can_delete_any_message_group: { new: group('nobody') },
      can_delete_own_message_group: { new: group('nobody') },
    }),
    () => ({ can_delete_any_message_group: group('everyone') }),
    EVERYBODY,
  ],
  [
    'the channel lets members delete their own',
    () => ({
      can_delete_any_message_group: { new: group('nobody') },
      can_delete_own_message_group: { new: group('nobody') },
    }),
    () => ({ can_delete_own_message_group: group('members') }),
    ['sender'],
  ],
  [
    'nobody may delete anything',
    () => ({
      can_delete_any_message_group: { new: group('nobody') },
      can_delete_own_message_group: { new: group('nobody') },
    }),
    () => ({}),
    [],
  ],
];

describe('DELETE /messages/{message_id}', () => {
  afterEach(() =>
    organization({
      can_delete_any_message_group: { new: group('administrators') },
      can_delete_own_message_group: { new: group('everyone') },
      message_content_delete_limit_seconds: 600,
    }),
  );

  describe.each(RULES)('where %s', (_name, realm, channel, may) => {
    it.each(EVERYBODY)('%s', async (who) => {
      await organization(realm());
      const to = await server.channel(owner, { subscribers: subscribed(), ...channel() });
      const id = await post(people.sender, to);
      const isAllowed = may.includes(who);
      expect(await remove(people[who], id)).toMatchObject(isAllowed ? done : refused);
      expect(await isThere(owner, id)).toBe(!isAllowed);
    });
  });

  it('answers with the envelope only, and reports unknown parameters', async () => {
    const to = await server.channel(owner);
    expect(await remove(owner, await post(owner, to))).toEqual(done);
    const { body } = await owner.delete(`/messages/${await post(owner, to)}`, { why: 'because' });
    expect(body).toEqual({ result: 'success', msg: '', ignored_parameters_unsupported: ['why'] });
  });

  it('is allowed to owners of bots like to their bots', async () => {
    const { member, sender } = people;
    const [bot, other] = [await server.bot(member), await server.bot(sender)];
    const to = await server.channel(owner, { subscribers: [...subscribed(), bot, other] });
    expect(await remove(member, await post(bot, to))).toMatchObject(done);
    expect(await remove(member, await post(other, to))).toMatchObject(refused);
    expect(await remove(bot, await post(bot, to))).toMatchObject(done);
    expect(await remove(bot, await post(member, to))).toMatchObject(refused);
  });

  it('applies the time limit to own messages, to the millisecond, and none to users who may delete any message', async () => {
    const { sender, admin } = people;
    const to = await server.channel(owner, { subscribers: subscribed() });
    await organization({ message_content_delete_limit_seconds: 60 });
    const [inTime, tooLate] = [await post(sender, to), await post(sender, to)];
    server.clock.advance(60_000);
    expect(await remove(sender, inTime)).toMatchObject(done);
    server.clock.advance(1);
    expect(await remove(sender, tooLate)).toMatchObject(refused);
    await organization({ message_content_delete_limit_seconds: 'unlimited' });
    expect(await remove(sender, tooLate)).toMatchObject(done);
    await organization({ message_content_delete_limit_seconds: 60 });
    const old = await post(sender, to);
    server.clock.advance(1e9);
    expect(await remove(admin, old)).toMatchObject(done);
  });

  it('is refused with the same answer for deleted, unknown and inaccessible messages', async () => {
    const { sender, member, admin } = people;
    const to = await server.channel(sender, { invite_only: true });
    const [hidden, direct] = [await post(sender, to), await write(sender, [member])];
    const deleted = await post(sender, to);
    granted(await sender.delete(`/messages/${deleted}`));
    const never = await remove(admin, 999_999);
    expect(never).toMatchObject(refused);
    for (const id of [hidden, direct, deleted, 2 ** 52]) expect(await remove(admin, id)).toEqual(never);
    expect(await remove(sender, deleted)).toEqual(never);
    expect((await admin.delete('/messages/abc')).status).toBe(404);
    expect(await isThere(sender, hidden)).toBe(true);
  });

  it('is refused in archived channels, for all users', async () => {
    const to = await server.channel(owner, { subscribers: subscribed() });
    const id = await post(owner, to);
    granted(await owner.delete(`/streams/${to}`));
    expect(await remove(owner, id)).toMatchObject(refused);
    expect(await isThere(owner, id)).toBe(true);
  });

  it('is allowed to participants of a direct conversation, by the rules of the organization', async () => {
    const { sender, member, admin, guest } = people;
    expect(await remove(sender, await write(sender, [member]))).toMatchObject(done);
    expect(await remove(member, await write(sender, [member]))).toMatchObject(refused);
    expect(await remove(admin, await write(sender, [admin]))).toMatchObject(done);
    expect(await remove(guest, await write(guest, [guest]))).toMatchObject(done);
  });

  it('requires access of the sender to the channel', async () => {
    const { sender, member } = people;
    const to = await server.channel(owner, { invite_only: true, subscribers: [owner, sender, member] });
    const id = await post(sender, to);
    const names = [(await channelNamed(to)).name];
    granted(await owner.delete('/users/me/subscriptions', { subscriptions: names, principals: [sender.id] }));
    expect(await remove(sender, id)).toMatchObject(refused);
    expect(await isThere(member, id)).toBe(true);
  });
});

const channelNamed = async (id: number) =>
  granted(await owner.get<{ stream: { name: string } }>(`/streams/${id}`)).stream;
