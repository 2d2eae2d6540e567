import { startWithUsers } from '../../support/server/start-with-users';
import type { Message } from '../../support/requests/messages';
import { idOf, messageSeen, sendDirect } from '../../support/requests/messages';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let groups: Readonly<Record<string, number>>;
beforeAll(async () => ({ server, owner, member, other, groups } = await startWithUsers()));
afterAll(() => server.close());

const refused = (code: string, more: object = {}) => ({ status: 400, body: { result: 'error', code, ...more } });
const organization = (settings: Record<string, unknown>) =>
  owner.patch(
    '/realm',
    Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [name, typeof value === 'number' ? { new: value } : value]),
    ),
  );

describe('a direct message', () => {
  const people = (message: Message) => (message['display_recipient'] as { id: number }[]).map(({ id }) => id);

  it('accepts ids or emails, with or without the sender, for one conversation', async () => {
    const ways = [[member.id], [member.id, owner.id], [member.email], member.email, `${member.email}, ${owner.email}`];
    const messages = await Promise.all(ways.map(async (to) => messageSeen(owner, await idOf(sendDirect(owner, to)))));
    for (const message of messages) {
      expect(people(message)).toEqual([owner.id, member.id].sort((a, b) => a - b));
      expect(message).toMatchObject({ type: 'private', subject: '' });
      expect(message).not.toHaveProperty('stream_id');
    }
    const back = await messageSeen(owner, await idOf(sendDirect(member, [owner.id])));
    expect(new Set([...messages, back].map(({ recipient_id }) => recipient_id)).size).toBe(1);
  });

  it.each(['direct', 'private'])('accepts the type %s', async (type) => {
    const message = await messageSeen(
      member,
      await idOf(sendDirect(owner, [member.id, other.id], { type, topic: '\u0007' })),
    );
    expect(message['display_recipient']).toEqual(
      [owner, member, other]
        .map(({ id, email }) => ({ id, email, full_name: expect.any(String) as string, is_mirror_dummy: false }))
        .sort((a, b) => a.id - b.id),
    );
  });

  it('may be sent to oneself', async () => {
    expect(people(await messageSeen(owner, await idOf(sendDirect(owner, [owner.id]))))).toEqual([owner.id]);
  });

  it('is visible to participants only', async () => {
    const id = await idOf(sendDirect(owner, [member.id]));
    expect(await other.get(`/messages/${id}`)).toMatchObject(refused('BAD_REQUEST'));
    expect((await messageSeen(member, id))['sender_id']).toBe(owner.id);
  });

  it.each<[string, unknown]>([
    ['nobody', []],
    ['an empty text', ''],
    ['no `to`', undefined],
    ['an unknown id', [999_999]],
    ['an id beyond any', [2 ** 45]],
    ['an unknown address', ['nobody@example.com']],
    ['a number', 5],
    ['an object', { id: 5 }],
    ['a fraction', [1.5]],
  ])('is refused to %s', async (_, to) => {
    expect(await sendDirect(owner, to)).toMatchObject(refused('BAD_REQUEST'));
  });

  it('is refused for ids mixed with emails, and for deactivated users', async () => {
    expect(await sendDirect(owner, [member.id, other.email])).toMatchObject(refused('BAD_REQUEST'));
    const deactivated = await server.person();
    await owner.delete(`/users/${deactivated.id}`);
    expect(await sendDirect(owner, [deactivated.id])).toMatchObject(refused('BAD_REQUEST'));
    expect(await sendDirect(owner, [deactivated.id, member.id])).toMatchObject(refused('BAD_REQUEST'));
  });

  it('requires a participant with the permission, except among bots or to oneself', async () => {
    const bot = await server.bot(member);
    await organization({ direct_message_permission_group: groups['administrators'] });
    expect(await sendDirect(member, [other.id])).toMatchObject(refused('BAD_REQUEST'));
    expect((await sendDirect(member, [owner.id])).status).toBe(200);
    expect((await sendDirect(member, [member.id])).status).toBe(200);
    expect((await sendDirect(member, [bot.id])).status).toBe(200);
    expect((await sendDirect(bot, [other.id])).status).toBe(200);
    await organization({ direct_message_permission_group: groups['nobody'] });
    expect(await sendDirect(owner, [member.id])).toMatchObject(refused('BAD_REQUEST'));
    await organization({ direct_message_permission_group: groups['everyone'] });
  });

  it('can be started with the permission to start, and continued by others', async () => {
    const [one, two] = [await server.person(), await server.person()];
    await sendDirect(one, [two.id]);
    await organization({ direct_message_initiator_group: groups['administrators'] });
    expect((await sendDirect(two, [one.id])).status).toBe(200);
    expect(await sendDirect(one, [other.id])).toMatchObject(refused('BAD_REQUEST'));
    expect((await sendDirect(owner, [one.id])).status).toBe(200);
    await organization({ direct_message_initiator_group: groups['everyone'] });
  });

  it('is refused for more than a thousand users, and for a longer parameter than these need', async () => {
    const people = Array.from({ length: 1_001 }, (_, n) => n + 1);
    const addresses = people.map((id) => `p${id}@example.com`).join();
    for (const to of [people, addresses]) {
      const msg = 'A message can be written to 1,000 people at most';
      expect(await sendDirect(owner, to)).toMatchObject(refused('BAD_REQUEST', { msg }));
    }
    const msg = 'to is too long (limit: 260000 characters)';
    expect(await sendDirect(owner, 'a'.repeat(260_001))).toMatchObject(refused('BAD_REQUEST', { msg }));
  });

  it('started twice at once is one conversation', async () => {
    const newcomer = await server.person();
    const ids = await Promise.all([
      idOf(sendDirect(owner, [newcomer.id])),
      idOf(sendDirect(newcomer, [owner.id])),
      idOf(sendDirect(owner, [newcomer.id])),
    ]);
    const messages = await Promise.all(ids.map((id) => messageSeen(newcomer, id)));
    expect(new Set(messages.map(({ recipient_id }) => recipient_id)).size).toBe(1);
  });
});
