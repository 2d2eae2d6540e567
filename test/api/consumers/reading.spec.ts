import type { RealmId } from '@annals/kernel/domain';
import { ConsumerFacts, ConsumerReader } from '@annals/consumers';
import { granted } from '../../support/server/caller';
import type { Params } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

let users: ServerWithUsers;
beforeAll(async () => {
  users = await startWithUsers();
});
afterAll(() => users.server.close());

const realm = 1 as RealmId;
const provided = <T>(token: new (...given: never[]) => T): T => {
  const api = users.server.apis[0];
  if (!api) throw new Error('no api runs');
  return api.app.get(token, { strict: false });
};

/** All events of a new consumer from the beginning, read in pages of this size. */
async function eventsOf(by: Person, name: string, wanted: Params, limit = 1_000) {
  granted(await by.post('/feed/consumers', { name, from: 'beginning', ...wanted }));
  const consumer = (await provided(ConsumerFacts).all(realm)).find((one) => one.name === name);
  if (!consumer) throw new Error(`no consumer ${name}`);
  const head = (await users.server.kernel.events.heads([realm])).get(realm) ?? 0;
  const upTo = head * 65_536 + 32_767;
  const events = [];
  for (let after = 0; after < upTo;) {
    const page = await provided(ConsumerReader).page(consumer, { after, upTo, limit });
    if (page === 'refused') throw new Error('refused');
    expect(page.error).toBeNull();
    events.push(...page.events.map(({ json }) => JSON.parse(json) as Record<string, unknown>));
    after = page.through;
  }
  return events;
}

const send = async (by: Person, to: string, content: string) =>
  granted(await by.post<{ id: number }>('/messages', { type: 'channel', to, topic: 'plan', content })).id;

describe('the events of a consumer', () => {
  it('of the log are CloudEvents with facts, and without words unless they are wanted', async () => {
    const { owner, member, server } = users;
    await server.channel(owner, { name: 'open', subscribers: [owner, member] });
    const id = await send(member, 'open', 'a *word*');
    granted(await owner.post(`/messages/${id}/reactions`, { emoji_name: 'thumbs_up' }));
    const events = await eventsOf(owner, 'facts', { view: 'domain', types: ['messages.*'] });
    const sent = events.find((event) => event.id === `1/${id}`);
    const { topic } = { topic: sent?.partitionkey };
    expect(sent).toEqual({
      specversion: '1.0',
      id: `1/${id}`,
      source: '/realms/1',
      type: 'annals.messages.MessageSent.v2',
      subject: `message/${id}`,
      time: expect.stringMatching(/Z$/) as unknown,
      datacontenttype: 'application/json',
      dataschema: expect.stringMatching(/^http.*\/api\/v1\/feed\/schemas\/messages\.MessageSent\.v2$/) as unknown,
      sequence: String(id).padStart(20, '0'),
      annalsactor: member.id,
      annalscorrelation: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
      annalswords: 'withheld',
      partitionkey: expect.stringMatching(/^topic\/\d+$/) as unknown,
      data: { facts: expect.objectContaining({ senderId: member.id }) as unknown, words: null },
    });
    const reaction = events.find(({ type }) => type === 'annals.messages.ReactionAdded.v1');
    expect(reaction).toMatchObject({ partitionkey: topic, subject: `message/${id}` });
    granted(await owner.patch('/realm', { can_audit_content_group: { new: users.groups.owners } }));
    const [words] = await eventsOf(owner, 'words', { view: 'domain', words: true, subjects: [`message:${id}`] });
    expect(words).toMatchObject({ id: `1/${id}`, data: { words: { content: 'a *word*' } } });
    expect(words).not.toHaveProperty('annalswords');
  });

  it('for clients are those of a queue of the owner, in any page size', async () => {
    const { owner, member, guest, server } = users;
    await server.channel(owner, { name: 'room', subscribers: [owner, member] });
    const id = await send(owner, 'room', 'for members');
    await server.channel(owner, { name: 'closed', subscribers: [owner], invite_only: true });
    const hidden = await send(owner, 'closed', 'for owners');
    const types = ['message', 'subscription', 'realm_user', 'reaction'];
    const all = await eventsOf(member, 'client-all', { view: 'client', types });
    const messages = all.filter(({ type }) => type === 'annals.client.message.v1');
    expect(messages.map(({ data }) => (data as { message: { id: number } }).message.id)).toContain(id);
    expect(messages.map(({ data }) => (data as { message: { id: number } }).message.id)).not.toContain(hidden);
    expect(messages.at(-1)).toMatchObject({
      id: `1/${id}.0`,
      subject: `message/${id}`,
      sequence: expect.any(String) as unknown,
    });
    expect(await eventsOf(member, 'client-small', { view: 'client', types }, 1)).toEqual(all);
    expect((await eventsOf(guest, 'of-guest', { view: 'client', types: ['message'] })).length).toBeLessThan(all.length);
  });

  it('for clients are only those that the owner may still see', async () => {
    const { owner, other, server } = users;
    await server.channel(owner, { name: 'left', subscribers: [owner, other], invite_only: true });
    const id = await send(owner, 'left', 'once for both');
    const texts = async (name: string) =>
      (await eventsOf(other, name, { view: 'client', types: ['message'] })).map(({ id: one }) => one);
    expect(await texts('before')).toContain(`1/${id}.0`);
    granted(await owner.delete('/users/me/subscriptions', { subscriptions: ['left'], principals: [other.id] }));
    expect(await texts('after')).not.toContain(`1/${id}.0`);
  });
});
