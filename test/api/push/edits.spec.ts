import type { ChannelId } from '@annals/kernel/domain';
import type { Phone, ReferenceBouncer } from '../../support/push/bouncer';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { PushServer } from '../../support/push/push';
import { pushOutboxEmpty, registeredPhone, startWithPush, until } from '../../support/push/push';
import type { TestServer } from '../../support/server/server';

let pushed: PushServer;
let bouncer: ReferenceBouncer;
let server: TestServer;
let ann: Person;
let bob: Person;
let phone: Phone;
let to: ChannelId;
beforeAll(async () => {
  pushed = await startWithPush();
  ({ server, bouncer } = pushed);
});
beforeEach(async () => {
  bouncer.behaviour = 'accepts';
  [ann, bob] = await Promise.all([server.person({ name: 'Ann' }), server.person({ name: 'Bob' })]);
  ({ phone } = await registeredPhone(server, bouncer, bob));
  to = await server.channel(ann, { subscribers: [ann, bob] });
});
afterAll(() => pushed.close());

const named = (person: Person) => `@**|${person.id}**`;
const say = async (content: string, by = ann) =>
  granted(await by.post<{ id: number }>('/messages', { type: 'channel', to, topic: 'plans', content })).id;
const edit = async (id: number, content: string, by = ann) => granted(await by.patch(`/messages/${id}`, { content }));
const received = (of = phone) => bouncer.notified.calls.flatMap(([one]) => (one.phone === of.token ? [one.text] : []));
/** Ids of notified messages of a phone so far, and of removed ones as negative numbers. */
async function notified(of = phone): Promise<number[]> {
  await server.settled();
  await pushOutboxEmpty(server.kernel, () => server.clock.advance(1_000));
  return received(of).flatMap(({ type, message_id, message_ids }) =>
    type === 'remove' ? (message_ids as number[]).map((id) => -id) : [message_id as number],
  );
}

/** Concurrent notifications may arrive in any order. */
const inOrder = (ids: readonly number[]) => [...ids].sort((a, b) => a - b);

describe('an edit that newly mentions a user', () => {
  it('is notified once, with the present text', async () => {
    const id = await say('look');
    await edit(id, `look, ${named(bob)}`);
    expect(await notified()).toEqual([id]);
    expect(received()).toMatchObject([{ type: 'message', message_id: id, channel_id: to, content: 'look, @Bob' }]);
    await edit(id, `look here, ${named(bob)}`);
    await edit(id, 'never mind');
    await edit(id, `it is you, ${named(bob)}`);
    expect(await notified()).toEqual([id]);
  });

  it('is notified for a group and for a channel wildcard', async () => {
    const name = `crew ${bob.id}`;
    const group = granted(
      await ann.post<{ group_id: number }>('/user_groups/create', { name, description: '', members: [bob.id] }),
    );
    const ids = [await say('one'), await say('two')] as const;
    await edit(ids[0], `one @*${name}*`);
    await edit(ids[1], 'two @**all**');
    expect(inOrder(await notified())).toEqual(ids);
    const ofGroup = received().find(({ message_id }) => message_id === ids[0]);
    expect(ofGroup).toMatchObject({ mentioned_user_group_id: group.group_id, mentioned_user_group_name: name });
  });

  it('is removed with its message', async () => {
    const id = await say('look');
    await edit(id, named(bob));
    expect(await notified()).toEqual([id]);
    granted(await server.owner.delete(`/messages/${id}`));
    expect(await notified()).toEqual([id, -id]);
  });

  it('is notified once although the push service was unreachable throughout', async () => {
    bouncer.behaviour = 'away';
    const asked = bouncer.asked.calls.length;
    const id = await say(named(bob));
    await until(() => bouncer.asked.calls.length > asked);
    await edit(id, `${named(bob)}, look`);
    await edit(id, 'never mind');
    await edit(id, `${named(bob)}, look there`);
    await server.settled();
    bouncer.behaviour = 'accepts';
    expect(await notified()).toEqual([id]);
  });
});

describe('an edit is not notified', () => {
  it('to users mentioned before in any way, or notified of the message', async () => {
    const [all, name] = [await say('@**all** hear'), await say(named(bob))];
    granted(
      await bob.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: to, property: 'push_notifications', value: true }],
      }),
    );
    const wanted = await say('whatever');
    expect(inOrder(await notified())).toEqual([all, name, wanted]);
    await edit(all, `@**all** hear, ${named(bob)}`);
    await edit(name, '@**all** hear');
    await edit(wanted, named(bob));
    expect(inOrder(await notified())).toEqual([all, name, wanted]);
  });

  it('to users who were mentioned before and had notifications off then', async () => {
    const silent = { enable_offline_push_notifications: false, automatically_follow_topics_where_mentioned: false };
    granted(await bob.patch('/settings', silent));
    const id = await say(named(bob));
    expect(await notified()).toEqual([]);
    granted(await bob.patch('/settings', { enable_offline_push_notifications: true }));
    await edit(id, `${named(bob)}, look`);
    expect(await notified()).toEqual([]);
  });

  it('to its author, in direct messages, without mentions, and to users who did not receive the message', async () => {
    const plain = await say('plain');
    await edit(plain, 'plainer');
    const own = await say('mine', bob);
    await edit(own, `mine, ${named(bob)} and @**all**`, bob);
    const other = await server.channel(ann, { subscribers: [ann] });
    const elsewhere = granted(
      await ann.post<{ id: number }>('/messages', { type: 'channel', to: other, topic: 'x', content: 'hello' }),
    );
    await edit(elsewhere.id, `hello ${named(bob)}`);
    expect(await notified()).toEqual([]);
    const direct = granted(
      await ann.post<{ id: number }>('/messages', { type: 'direct', to: [bob.id], content: 'hi' }),
    );
    expect(await notified()).toEqual([direct.id]);
    await edit(direct.id, `hi ${named(bob)}`);
    expect(await notified()).toEqual([direct.id]);
  });
});
