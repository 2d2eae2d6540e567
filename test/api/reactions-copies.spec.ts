import type { Params, WireEvent } from '../support/caller';
import { granted } from '../support/caller';
import type { Person } from '../support/organization';
import type { TestServer } from '../support/server';
import { startServer } from '../support/server';

let server: TestServer;
let owner: Person;
let mia: Person;
/** Not subscribed to anything that he reacts to. */
let otto: Person;
let open: number;
beforeAll(async () => {
  server = await startServer();
  owner = server.owner;
  mia = await server.person({ name: 'Mia' });
  otto = await server.person({ name: 'Otto' });
  open = await server.channel(owner, { name: 'open', subscribers: [owner, mia] });
});
afterAll(() => server.close());

const WISH = {
  event_types: ['update_message', 'delete_message'],
  client_capabilities: { bulk_message_deletion: true },
};
const post = async (params: Params = {}) =>
  granted(
    await mia.post<{ id: number }>('/messages', { type: 'channel', to: open, topic: 'x', content: 'so', ...params }),
  ).id;
const add = async (by: Person, id: number) =>
  granted(await by.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }));
const takeBack = async (by: Person, id: number) =>
  granted(await by.delete(`/messages/${id}/reactions`, { emoji_name: 'tada' }));
const change = async (id: number, params: Params) => granted(await owner.patch(`/messages/${id}`, params));
const remove = async (id: number) => granted(await owner.delete(`/messages/${id}`));

/** A message that he reacted to. */
async function reactedTo(params: Params = {}): Promise<number> {
  const id = await post(params);
  await add(otto, id);
  return id;
}

const short = ({ type, ...event }: WireEvent) => [type, event['message_ids']];
const ottoHears = async (act: () => Promise<unknown>) => (await otto.receive(act, WISH)).map(short);

describe('who reacts without being subscribed has a copy from then on, and', () => {
  it('hears that the message is edited', async () => {
    const [id, another] = [await reactedTo(), await post()];
    const act = async () => {
      granted(await mia.patch(`/messages/${another}`, { content: 'not his' }));
      granted(await mia.patch(`/messages/${id}`, { content: 'other' }));
    };
    expect(await ottoHears(act)).toEqual([['update_message', [id]]]);
  });

  it('still does when the reaction was taken back', async () => {
    const id = await reactedTo();
    await takeBack(otto, id);
    expect(await ottoHears(async () => granted(await mia.patch(`/messages/${id}`, { content: 'other' })))).toEqual([
      ['update_message', [id]],
    ]);
    expect(await ottoHears(() => remove(id))).toEqual([['delete_message', [id]]]);
  });

  it('hears that it goes to another topic, alone or with all', async () => {
    const [one, two] = [await reactedTo({ topic: 'many' }), await post({ topic: 'many' })];
    const alone = () => change(one, { topic: 'one', propagate_mode: 'change_one' });
    expect(await ottoHears(alone)).toEqual([['update_message', [one]]]);
    await add(otto, two);
    const renamed = () => change(two, { topic: 'all', propagate_mode: 'change_all' });
    expect(await ottoHears(renamed)).toEqual([['update_message', [two]]]);
  });

  it('hears that it is gone when it goes where he cannot read it', async () => {
    const to = await server.channel(owner, { name: 'den', invite_only: true, subscribers: [owner, mia] });
    const id = await reactedTo({ topic: 'secret soon' });
    const act = () => change(id, { stream_id: to, propagate_mode: 'change_all' });
    expect(await ottoHears(act)).toEqual([['delete_message', [id]]]);
    expect(await ottoHears(() => remove(id))).toEqual([]);
  });

  it('hears that it is deleted, by itself or with its topic', async () => {
    const [id, whole, another] = [await reactedTo(), await reactedTo({ topic: 'whole' }), await post()];
    expect(await ottoHears(() => remove(id))).toEqual([['delete_message', [id]]]);
    const act = async () => granted(await owner.post(`/streams/${open}/delete_topic`, { topic_name: 'whole' }));
    expect(await ottoHears(act)).toEqual([['delete_message', [whole]]]);
    expect(await ottoHears(() => remove(another))).toEqual([]);
  });

  it('hears nothing once he cannot read the channel any more', async () => {
    const subscribers = [owner, mia, otto];
    const to = await server.channel(owner, { name: 'closed', invite_only: true, subscribers });
    const id = await reactedTo({ to });
    granted(await owner.delete('/users/me/subscriptions', { subscriptions: ['closed'], principals: [otto.id] }));
    const act = async () => {
      await change(id, { topic: 'elsewhere' });
      granted(await mia.patch(`/messages/${id}`, { content: 'secret' }));
      await remove(id);
    };
    expect(await ottoHears(act)).toEqual([]);
  });

  it('hears only of what comes after the reaction, however late it is told', async () => {
    const id = await post();
    const act = async () => {
      granted(await mia.patch(`/messages/${id}`, { content: 'before' }));
      await add(otto, id);
      await change(id, { topic: 'after' });
    };
    const heard = await otto.receive(act, WISH);
    expect(heard.map((event) => event['subject'])).toEqual(['after']);
  });
});
