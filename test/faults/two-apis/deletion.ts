import type { Caller } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { copied } from '../../support/requests/messages';
import type { ProcessServer } from '../../support/processes/processes';
import { race } from '../../support/guards/race';

/** Messages are deleted while others are written, edited and deleted. */
export function deletion(the: () => ProcessServer): void {
  let server: ProcessServer;
  let here: Caller;
  let there: Caller;
  beforeAll(async () => {
    server = the();
    [here, there] = server.sides(server.owner);
  });

  const invalid = { status: 400, body: { code: 'BAD_REQUEST', msg: 'Invalid message(s)' } };
  const done = { status: 200, body: { result: 'success' } };
  const input = (to: number, topic = 'lunch') => ({ type: 'channel', to, topic, content: 'x' });
  const post = async (to: number, topic?: string) =>
    granted(await here.post<{ id: number }>('/messages', input(to, topic))).id;
  const remove = (by: Caller, id: number) => by.delete(`/messages/${id}`);
  const compete = (...acts: Parameters<typeof race>[1]) => race(server.kernel, acts);

  /** The topics of a channel with how many messages are in each: none is empty, and no message is without one. */
  async function topicsOf(channel: number): Promise<number[]> {
    const { rows } = await server.kernel.database.pool.query<{ messages: number }>(
      `SELECT count(m.message_id)::int4 AS messages FROM (SELECT topic_id FROM view.topics WHERE realm_id = 1
          AND channel_id = $1 UNION SELECT topic_id FROM view.messages WHERE realm_id = 1 AND channel_id = $1) AS t
        LEFT JOIN view.topics AS known ON known.realm_id = 1 AND known.topic_id = t.topic_id
        LEFT JOIN view.messages AS m ON m.realm_id = 1 AND m.topic_id = known.topic_id
        GROUP BY t.topic_id ORDER BY t.topic_id`,
      [channel],
    );
    return rows.map(({ messages }) => messages);
  }

  const firstOf = async (channel: number) =>
    granted(await there.get<{ stream: { first_message_id: number | null } }>(`/streams/${channel}`)).stream
      .first_message_id;

  describe('of two processes one of which deletes', () => {
    it('a new text is refused', async () => {
      const id = await post(await server.channel(server.owner));
      const answers = await compete(
        () => remove(here, id),
        () => there.patch(`/messages/${id}`, { content: 'y' }),
      );
      expect(answers).toMatchObject([done, invalid]);
    });

    it('a new text that came first is deleted as well', async () => {
      const id = await post(await server.channel(server.owner));
      const answers = await compete(
        () => there.patch(`/messages/${id}`, { content: 'y' }),
        () => remove(here, id),
      );
      expect(answers).toMatchObject([done, done]);
    });

    it('a message to the topic that ends begins another, which is the first of the channel then', async () => {
      const to = await server.channel(server.owner);
      const id = await post(to);
      const [, sent] = await compete(
        () => remove(here, id),
        () => there.post('/messages', input(to)),
      );
      expect(sent).toMatchObject(done);
      expect(await topicsOf(to)).toEqual([1]);
      expect(await firstOf(to)).toBe(sent?.body['id']);
    });

    it('the last two messages of a topic go, and the topic with them', async () => {
      const to = await server.channel(server.owner);
      const other = await post(to, 'other');
      const [one, two] = [await post(to), await post(to)];
      expect(
        await compete(
          () => remove(here, one),
          () => remove(there, two),
        ),
      ).toMatchObject([done, done]);
      expect(await topicsOf(to)).toEqual([1]);
      expect(await firstOf(to)).toBe(other);
    });

    it.each([
      [0, 1],
      [1, 0],
    ])('the two oldest messages of a channel go, and the third is its first', async (first, second) => {
      const to = await server.channel(server.owner);
      const ids = [await post(to, 'a'), await post(to, 'b'), await post(to, 'c')];
      const [one = 0, two = 0, third] = [ids[first], ids[second], ids[2]];
      expect(
        await compete(
          () => remove(here, one),
          () => remove(there, two),
        ),
      ).toMatchObject([done, done]);
      expect(await firstOf(to)).toBe(third);
    });
  });

  describe('a process that is killed while it deletes a topic', () => {
    it('has deleted whole batches, and another one continues', async () => {
      const to = await server.channel(server.owner);
      await copied(server.kernel, await post(to), 999);
      const doomed = await server.startApi();
      const queue = await server.owner.register({ event_types: ['delete_message'], fetch_event_types: [] });
      const asked = server.owner.at(doomed.url).post(`/streams/${to}/delete_topic`, { topic_name: 'lunch' });
      const answered = asked.then(
        () => 'answered',
        () => 'broken',
      );
      // Some messages are deleted by then, and not all.
      granted(await server.owner.get('/events', { queue_id: queue.queue_id, last_event_id: queue.last_event_id }));
      await server.kill(doomed);
      expect(await answered).toBe('broken');
      const left = (await topicsOf(to)).reduce((sum, messages) => sum + messages, 0);
      expect(left).toBeGreaterThan(0);
      expect(left % 100).toBe(0);
      const again = await there.post(`/streams/${to}/delete_topic`, { topic_name: 'lunch' });
      expect(again).toMatchObject({ status: 200, body: { complete: true } });
      expect(await topicsOf(to)).toEqual([]);
      expect(await firstOf(to)).toBeNull();
    });
  });
}
