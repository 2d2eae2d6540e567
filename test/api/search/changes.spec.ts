import { Eraser, StorageCleanup } from '@annals/kernel';
import { term } from '../../support/requests/message-fixture';
import { idOf, send } from '../../support/requests/messages';
import { textsWith } from '../../support/requests/searches';
import { copiesOf } from '../../support/laws/copies';
import { tracesOf } from '../../support/laws/traces';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startWithUsers } from '../../support/server/start-with-users';

let server: TestServer;
let owner: Person;
let other: Person;
let channel: number;
beforeAll(async () => {
  ({ server, owner, other } = await startWithUsers());
  channel = await server.channel(owner, { name: 'open', subscribers: [owner] });
});
afterAll(() => server.close());

const sent = async (content: string, topic = 'things') => {
  const id = await idOf(send(owner, { to: channel, topic, content }));
  await server.settled();
  return id;
};

describe('what a search finds', () => {
  it('is the present text at once, and the new one as soon as its words are indexed', async () => {
    const id = await sent('a yellow bicycle');
    expect(await textsWith(owner, 'bicycle')).toEqual(['a yellow bicycle']);
    granted(await owner.patch(`/messages/${id}`, { content: 'a yellow scooter' }));
    expect(await textsWith(owner, 'bicycle')).toEqual([]);
    await server.settled();
    expect(await textsWith(owner, 'bicycle')).toEqual([]);
    expect(await textsWith(owner, 'yellow scooter')).toEqual(['a yellow scooter']);
  });

  it('is no message that was deleted, at once', async () => {
    const id = await sent('a purple bicycle');
    granted(await owner.delete(`/messages/${id}`));
    expect(await textsWith(owner, 'purple')).toEqual([]);
    await server.settled();
    expect(await copiesOf(server.kernel.database.pool, ["'purpl'"])).toEqual([]);
  });

  it('leaves no word behind when the text is erased', async () => {
    const ids = [await sent('some quixotry'), await sent('some zymurgy', 'kumquats')];
    const words = ["'quixotri'", "'zymurgi'", "'kumquat'"];
    const { pool } = server.kernel.database;
    expect((await copiesOf(pool, words)).map(([, tables]) => tables)).toEqual([
      ['message_words'],
      ['message_words'],
      ['topic_words'],
    ]);
    granted(await owner.patch(`/messages/${ids[0] ?? 0}`, { content: 'nothing' }));
    for (const id of ids) granted(await owner.delete(`/messages/${id}`));
    await server.settled();
    await new Eraser(server.kernel, 0).sweep();
    await server.settled();
    expect(await copiesOf(pool, words)).toEqual([]);
    expect(await textsWith(owner, 'some')).toEqual([]);
    await pool.query('ANALYZE');
    expect(await tracesOf(pool, 'quixotri')).toEqual(['index message_words_i1']);
    const ofTopic = async () => (await tracesOf(pool, 'kumquat')).filter((trace) => !trace.includes('user_topics'));
    expect(await ofTopic()).toEqual(['index topic_words_i1', 'index topics_i1', 'index topics_i2']);
    expect(await new StorageCleanup(server.kernel).run()).toMatchObject({ left: null });
    for (const word of ['quixotri', 'zymurgi']) expect(await tracesOf(pool, word)).toEqual([]);
    // The owner still follows a topic of that name.
    expect(await ofTopic()).toEqual([]);
    expect(await textsWith(owner, 'yellow scooter')).toEqual(['a yellow scooter']);
  });

  it('follows the name of a topic', async () => {
    const id = await sent('first', 'giraffes');
    await sent('second', 'giraffes');
    const rename = { topic: 'elephants', propagate_mode: 'change_all', send_notification_to_new_thread: false };
    granted(await owner.patch(`/messages/${id}`, rename));
    expect(await textsWith(owner, 'giraffe')).toEqual([]);
    await server.settled();
    expect(await textsWith(owner, 'elephant')).toEqual(['first', 'second']);
    expect(await textsWith(owner, 'giraffe')).toEqual([]);
    granted(await owner.patch(`/messages/${id}`, { ...rename, topic: 'giraffes', propagate_mode: 'change_one' }));
    await server.settled();
    expect(await textsWith(owner, 'elephant')).toEqual(['second']);
    expect(await textsWith(owner, 'giraffe first')).toEqual(['first']);
  });

  it('follows a move to a channel that others cannot read', async () => {
    const id = await sent('a wandering albatross', 'birds');
    const hidden = await server.channel(owner, { subscribers: [owner], invite_only: true });
    const inPublic = [term('channels', 'public')];
    expect(await textsWith(other, 'albatross', inPublic)).toEqual(['a wandering albatross']);
    granted(await owner.patch(`/messages/${id}`, { stream_id: hidden, send_notification_to_new_thread: false }));
    expect(await textsWith(other, 'albatross', inPublic)).toEqual([]);
    await server.settled();
    expect(await textsWith(owner, 'albatross bird')).toEqual(['a wandering albatross']);
    expect(await textsWith(other, 'albatross', inPublic)).toEqual([]);
  });
});
