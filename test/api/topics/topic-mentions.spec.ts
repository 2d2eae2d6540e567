import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { startWithUsers } from '../../support/server/start-with-users';
import { idOf, messageSeen, send } from '../../support/requests/messages';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let channel: number;
beforeAll(async () => {
  ({ server, owner, member, other } = await startWithUsers());
  channel = await server.channel(owner, { subscribers: [owner, member, other] });
});
afterAll(() => server.close());

let topics = 0;
const newTopic = () => `topic ${++topics}`;
const post = (by: Person, topic: string, params: Params = {}) => idOf(send(by, { to: channel, topic, ...params }));
const call = (topic: string) => post(owner, topic, { content: '@**topic** come' });
const change = async (by: Person, id: number, params: Params) => granted(await by.patch(`/messages/${id}`, params));

const CALLED = ['topic_wildcard_mentioned', 'wildcard_mentioned'];
/** By every way there is: the message, the summary of what is unread, and events of an edit. */
async function mentionsOf(who: Person, id: number) {
  const { flags } = await messageSeen(who, id);
  const register = await who.register({ event_types: ['message', 'update_message_flags'] });
  const { mentions } = register['unread_msgs'] as { mentions: number[] };
  const mode = { propagate_mode: 'change_one', send_notification_to_old_thread: false };
  const [moved] = await who.receive(() => change(owner, id, { topic: newTopic(), ...mode }), 'update_message');
  return { flags, isMention: mentions.includes(id), later: moved?.['flags'] };
}
const mentioned = { flags: CALLED, isMention: true, later: CALLED };
const notMentioned = { flags: [], isMention: false, later: [] };

describe('a topic wildcard mention', () => {
  it('is for participants of that time, its author included, and no later ones', async () => {
    const topic = newTopic();
    await post(member, topic);
    const id = await call(topic);
    await post(other, topic);
    expect((await messageSeen(owner, id)).flags).toEqual(CALLED);
    expect(await mentionsOf(member, id)).toEqual(mentioned);
    expect(await mentionsOf(other, id)).toEqual(notMentioned);
  });

  it('stays when their messages are deleted, or moved', async () => {
    const topic = newTopic();
    const [deleted, moved] = [await post(member, topic), await post(other, topic)];
    const id = await call(topic);
    granted(await owner.delete(`/messages/${deleted}`));
    await change(owner, moved, { topic: newTopic(), propagate_mode: 'change_one' });
    expect(await mentionsOf(member, id)).toEqual(mentioned);
    expect(await mentionsOf(other, id)).toEqual(mentioned);
  });

  it('stays when topics are merged', async () => {
    const [here, there] = [newTopic(), newTopic()];
    const written = await post(member, there);
    const id = await call(here);
    await change(owner, written, { topic: here, propagate_mode: 'change_all' });
    expect(await mentionsOf(member, id)).toEqual(notMentioned);
  });

  it('is computed again by an edit, for the participants of that time', async () => {
    const topic = newTopic();
    const deletedId = await post(member, topic);
    const id = await call(topic);
    await post(other, topic);
    granted(await owner.delete(`/messages/${deletedId}`));
    const edit = () => change(owner, id, { content: '@**topic** come, all of you' });
    const [event] = await other.receive(edit, 'update_message');
    expect(event?.['flags']).toEqual(CALLED);
    expect(await mentionsOf(other, id)).toEqual(mentioned);
    expect(await mentionsOf(member, id)).toEqual(notMentioned);
  });
});
