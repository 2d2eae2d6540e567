import type { Params, WireEvent } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let mia: Person;
/** Not subscribed to anything that he reacts to. */
let otto: Person;
let open: number;
/** Gus, a guest. */
let guest: Person;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  mia = await server.person({ name: 'Mia' });
  otto = await server.person({ name: 'Otto' });
  guest = await server.person({ name: 'Gus', role: 'guest' });
  open = await server.channel(owner, { name: 'open', subscribers: [owner, mia] });
});
afterAll(() => server.close());

const REGISTRATION = {
  event_types: ['update_message', 'delete_message', 'reaction'],
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

const short = ({ type, ...event }: WireEvent) => [type, event['message_ids'] ?? event['message_id']];
const eventsOf = async (by: Person, act: () => Promise<unknown>) => (await by.receive(act, REGISTRATION)).map(short);
const eventsOfOtto = (act: () => Promise<unknown>) => eventsOf(otto, act);
const edit = async (id: number) => granted(await mia.patch(`/messages/${id}`, { content: `news ${++made}` }));
let made = 0;

describe('a user who reacts without a subscription tracks the message from then on, and', () => {
  it('receives edits', async () => {
    const [id, another] = [await reactedTo(), await post()];
    const act = async () => {
      granted(await mia.patch(`/messages/${another}`, { content: 'not his' }));
      granted(await mia.patch(`/messages/${id}`, { content: 'other' }));
    };
    expect(await eventsOfOtto(act)).toEqual([['update_message', [id]]]);
  });

  it('still does after removing the reaction', async () => {
    const id = await reactedTo();
    await takeBack(otto, id);
    expect(await eventsOfOtto(async () => granted(await mia.patch(`/messages/${id}`, { content: 'other' })))).toEqual([
      ['update_message', [id]],
    ]);
    expect(await eventsOfOtto(() => remove(id))).toEqual([['delete_message', [id]]]);
  });

  it('receives moves to another topic, of the message or the topic', async () => {
    const [one, two] = [await reactedTo({ topic: 'many' }), await post({ topic: 'many' })];
    const alone = () => change(one, { topic: 'one', propagate_mode: 'change_one' });
    expect(await eventsOfOtto(alone)).toEqual([['update_message', [one]]]);
    await add(otto, two);
    const renamed = () => change(two, { topic: 'all', propagate_mode: 'change_all' });
    expect(await eventsOfOtto(renamed)).toEqual([['update_message', [two]]]);
  });

  it('receives a deletion when it moves to an inaccessible channel', async () => {
    const to = await server.channel(owner, { name: 'den', invite_only: true, subscribers: [owner, mia] });
    const id = await reactedTo({ topic: 'secret soon' });
    const act = () => change(id, { stream_id: to, propagate_mode: 'change_all' });
    expect(await eventsOfOtto(act)).toEqual([['delete_message', [id]]]);
    expect(await eventsOfOtto(() => remove(id))).toEqual([]);
  });

  it('receives its deletion, by itself or with its topic', async () => {
    const [id, whole, another] = [await reactedTo(), await reactedTo({ topic: 'whole' }), await post()];
    expect(await eventsOfOtto(() => remove(id))).toEqual([['delete_message', [id]]]);
    const act = async () => granted(await owner.post(`/streams/${open}/delete_topic`, { topic_name: 'whole' }));
    expect(await eventsOfOtto(act)).toEqual([['delete_message', [whole]]]);
    expect(await eventsOfOtto(() => remove(another))).toEqual([]);
  });

  it('receives nothing after losing access to the channel', async () => {
    const subscribers = [owner, mia, otto];
    const to = await server.channel(owner, { name: 'closed', invite_only: true, subscribers });
    const id = await reactedTo({ to });
    granted(await owner.delete('/users/me/subscriptions', { subscriptions: ['closed'], principals: [otto.id] }));
    const act = async () => {
      await change(id, { topic: 'elsewhere' });
      granted(await mia.patch(`/messages/${id}`, { content: 'secret' }));
      await remove(id);
    };
    expect(await eventsOfOtto(act)).toEqual([]);
  });

  it('receives only events after the reaction, also in a late delivery', async () => {
    const id = await post();
    const act = async () => {
      granted(await mia.patch(`/messages/${id}`, { content: 'before' }));
      await add(otto, id);
      await change(id, { topic: 'after' });
    };
    const received = await otto.receive(act, { ...REGISTRATION, event_types: ['update_message'] });
    expect(received).toMatchObject([{ subject: 'after', flags: ['read', 'historical'] }]);
    expect(received).toHaveLength(1);
  });
});

describe('a user who left a channel keeps tracking the messages received before, and', () => {
  /** A channel that all of them are in, with what Otto and the guest do there. */
  async function channel(more: Params = {}) {
    const name = `left ${++made}`;
    const to = await server.channel(owner, { name, subscribers: [owner, mia, otto, guest], ...more });
    const principals = [otto.id, guest.id];
    return {
      to,
      leave: async () => granted(await owner.delete('/users/me/subscriptions', { subscriptions: [name], principals })),
      come: async () =>
        granted(await owner.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [otto.id] })),
    };
  }

  it('receives edits, reactions, moves and deletions, and nothing of later messages', async () => {
    const { to, leave } = await channel();
    const [edited, reacted, moved, kept] = [
      await post({ to }),
      await post({ to }),
      await post({ to }),
      await post({ to }),
    ];
    await leave();
    const late = await post({ to });
    const act = async () => {
      for (const id of [late, edited]) await edit(id);
      for (const id of [late, reacted]) await add(mia, id);
      for (const id of [late, reacted]) await takeBack(mia, id);
      for (const id of [late, moved]) await change(id, { topic: 'elsewhere', propagate_mode: 'change_one' });
      await change(kept, { topic: 'all of it', propagate_mode: 'change_all' });
    };
    const rest = [edited, reacted, kept];
    expect(await eventsOfOtto(act)).toEqual([
      ['update_message', [edited]],
      ['reaction', reacted],
      ['reaction', reacted],
      ['update_message', [moved]],
      ['update_message', rest],
    ]);
    const deletion = async () => {
      for (const id of [late, edited]) await remove(id);
    };
    expect(await eventsOfOtto(deletion)).toEqual([['delete_message', [edited]]]);
  });

  it('sees them as read, with mentions', async () => {
    const { to, leave } = await channel();
    const [id, calling] = [await post({ to }), await post({ to, content: '@**Otto** and @**all**' })];
    await leave();
    const act = async () => {
      await edit(id);
      granted(await mia.patch(`/messages/${calling}`, { content: '@**Otto**' }));
    };
    const received = await otto.receive(act, REGISTRATION);
    expect(received).toMatchObject([{ flags: ['read'] }, { flags: ['read', 'mentioned'] }]);
  });

  it('receives events for each of several subscriptions', async () => {
    const { to, leave, come } = await channel();
    const first = await post({ to });
    await leave();
    const between = await post({ to });
    await come();
    const second = await post({ to });
    await leave();
    const act = async () => {
      for (const id of [first, between, second]) await edit(id);
    };
    expect(await eventsOfOtto(act)).toEqual([
      ['update_message', [first]],
      ['update_message', [second]],
    ]);
    const deletion = async () => granted(await owner.post(`/streams/${to}/delete_topic`, { topic_name: 'x' }));
    expect(await eventsOfOtto(deletion)).toEqual([['delete_message', [first, between, second]]]);
  });

  it('receives nothing without access: guests, and all after a private channel', async () => {
    const acts = [edit, (id: number) => add(mia, id), (id: number) => change(id, { topic: `y ${++made}` }), remove];
    for (const more of [{}, { invite_only: true }, { invite_only: true, history_public_to_subscribers: true }]) {
      const { to, leave } = await channel(more);
      const [first, second] = [await post({ to }), await post({ to })];
      await leave();
      for (const act of acts) {
        expect(await eventsOf(guest, () => act(first))).toEqual([]);
        expect(await eventsOfOtto(() => act(second))).toHaveLength('invite_only' in more ? 0 : 1);
      }
    }
  });

  it('receives events of a private channel that a group gives access to, with protected history of their messages only', async () => {
    const may = { direct_members: [otto.id], direct_subgroups: [] };
    for (const history_public_to_subscribers of [true, false]) {
      const request = { invite_only: true, history_public_to_subscribers, can_subscribe_group: may };
      const { to, leave } = await channel(request);
      const id = await post({ to });
      await leave();
      const late = await post({ to });
      const act = async () => {
        for (const each of [id, late]) {
          await edit(each);
          await add(mia, each);
        }
      };
      expect(await eventsOfOtto(act)).toEqual([
        ['update_message', [id]],
        ['reaction', id],
      ]);
      const deletion = async () => {
        for (const each of [id, late]) await remove(each);
      };
      expect(await eventsOfOtto(deletion)).toEqual([['delete_message', [id]]]);
    }
  });

  it('receives a deletion when they move to an inaccessible channel, and keeps them otherwise', async () => {
    const [{ to, leave }, elsewhere, closed] = [await channel(), await channel(), await channel({ invite_only: true })];
    const [goes, stays] = [await post({ to }), await post({ to })];
    for (const each of [{ leave }, elsewhere, closed]) await each.leave();
    const move = (id: number, stream_id: number) => change(id, { stream_id, propagate_mode: 'change_one' });
    expect(await eventsOfOtto(() => move(stays, elsewhere.to))).toEqual([['update_message', [stays]]]);
    expect(await eventsOfOtto(() => edit(stays))).toEqual([['update_message', [stays]]]);
    expect(await eventsOfOtto(() => move(goes, closed.to))).toEqual([['delete_message', [goes]]]);
    const unrelated = async () => {
      await edit(goes);
      await remove(goes);
    };
    expect(await eventsOfOtto(unrelated)).toEqual([]);
    expect(await eventsOfOtto(() => remove(stays))).toEqual([['delete_message', [stays]]]);
  });

  it('receives the state of each position in a late delivery', async () => {
    const { to, leave, come } = await channel();
    const queue = await otto.register({ fetch_event_types: [], ...REGISTRATION });
    const id = await post({ to });
    await leave();
    const late = await post({ to });
    await edit(id);
    await edit(late);
    await come();
    await edit(late);
    await changeToPrivate(to);
    await leave();
    await edit(id);
    const received = (await otto.events(queue)).map(short);
    expect(received).toEqual([
      ['update_message', [id]],
      ['update_message', [late]],
    ]);
  });
});

const changeToPrivate = async (to: number) => granted(await owner.patch(`/streams/${to}`, { is_private: true }));
