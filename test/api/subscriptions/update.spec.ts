import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { startWithUsers } from '../../support/server/start-with-users';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import type { Left } from '../../support/requests/subscriptions';

let server: TestServer;
let owner: Person;
let member: Person;
let guest: Person;
beforeAll(async () => ({ server, owner, member, guest } = await startWithUsers()));
afterAll(() => server.close());

let made = 0;
const refused = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } };
const fresh = () => `channel ${++made}`;
async function channel(by: Person, subscribers: readonly Person[], more: Params = {}) {
  const name = fresh();
  return { name, id: await server.channel(by, { name, subscribers, ...more }) };
}
const channelsOf = async (who: Person) =>
  granted(await who.get<{ subscriptions: { name: string }[] }>('/users/me/subscriptions')).subscriptions.map(
    ({ name }) => name,
  );

describe('PATCH /users/me/subscriptions', () => {
  const update = (by: Person, params: Params) => by.patch<Left>('/users/me/subscriptions', params);

  it('subscribes and unsubscribes, and reports both', async () => {
    const old = await channel(owner, [member]);
    const name = fresh();
    expect((await update(member, { add: [{ name, color: '#123456' }], delete: [old.name] })).body).toEqual({
      result: 'success',
      msg: '',
      subscribed: { [member.id]: [name] },
      already_subscribed: {},
      new_subscription_messages_sent: true,
      removed: [old.name],
      not_removed: [],
    });
    expect((await update(member, { add: [{ name }] })).body).toMatchObject({
      already_subscribed: { [member.id]: [name] },
      removed: [],
    });
    expect((await update(member, { delete: [old.name, name] })).body).toMatchObject({
      subscribed: {},
      removed: [name],
      not_removed: [old.name],
    });
  });

  it('applies all of it or nothing', async () => {
    const mine = await channel(owner, [member]);
    const name = fresh();
    expect(await update(member, { add: [{ name }], delete: [mine.name, 'no such channel'] })).toMatchObject({
      status: 400,
      body: { code: 'STREAM_DOES_NOT_EXIST', stream: 'no such channel' },
    });
    const hidden = await channel(owner, [owner], { invite_only: true });
    expect(await update(member, { add: [{ name: hidden.name }], delete: [mine.name] })).toMatchObject(refused);
    expect(await channelsOf(member)).toContain(mine.name);
    expect(await channelsOf(member)).not.toContain(name);
  });

  it.each<[string, Params]>([
    ['neither', {}],
    ['empty lists', { add: [], delete: [] }],
    ['names to add', { add: ['a'] }],
    ['objects to delete', { delete: [{ name: 'general' }] }],
    ['a bad colour', { add: [{ name: 'ok', color: 'blue' }] }],
    ['the same channel twice', { add: [{ name: 'Same' }], delete: [' same '] }],
  ])('refuses %s', async (_, params) => {
    expect(await update(member, params)).toMatchObject(refused);
  });

  it('lets guests unsubscribe, and nothing else', async () => {
    const { name } = await channel(owner, [guest]);
    expect(await update(guest, { add: [{ name: 'general' }], delete: [name] })).toMatchObject(refused);
    expect((await update(guest, { delete: [name] })).body.removed).toEqual([name]);
  });
});
