import type { ChannelId } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import type { Caller, WireEvent } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { ProcessServer } from '../../support/processes/processes';

/** A change through one api is known to the other at once. */
export function reads(the: () => ProcessServer): void {
  const TIMES = 30;
  /** More keys than an account can have. */
  const TOO_MANY_KEYS = 100;

  let server: ProcessServer;
  let ann: Person;
  let channel: ChannelId;
  beforeAll(async () => {
    server = the();
    ann = await server.person({ name: 'Ann' });
    channel = await server.channel(server.owner, { subscribers: [server.owner, ann] });
  });

  /** Calls on the two in turn: here then there, there then here. */
  async function inTurns(
    person: Caller,
    act: (here: Caller, there: Caller, n: number) => Promise<void>,
  ): Promise<void> {
    const [one, other] = server.sides(person);
    for (let n = 0; n < TIMES; n++) await (n % 2 === 0 ? act(one, other, n) : act(other, one, n));
  }

  const send = async (by: Caller, content: string) =>
    granted(await by.post<{ id: number }>('/messages', { type: 'channel', to: channel, topic: 'two', content })).id;
  const contentOf = async (by: Caller, id: number) => {
    const { message } = granted(
      await by.get<{ message: { content: string } }>(`/messages/${id}`, { apply_markdown: false }),
    );
    return message.content;
  };
  const messagesOf = (events: readonly WireEvent[]) => events.map(({ message }) => (message as { id: number }).id);

  describe('what was written through one api is read through the other at once:', () => {
    it('a message, and its new text', async () => {
      await inTurns(server.owner, async (here, there, n) => {
        const id = await send(here, `text ${n}`);
        expect(await contentOf(there, id)).toBe(`text ${n}`);
        granted(await there.patch(`/messages/${id}`, { content: `new text ${n}` }));
        expect(await contentOf(here, id)).toBe(`new text ${n}`);
      });
    });

    it('a channel and its subscribers', async () => {
      await inTurns(server.owner, async (here, there, n) => {
        const request = { name: `here ${n}`, subscribers: [ann.id] };
        const { id } = granted(await here.post<{ id: number }>('/channels/create', request));
        const [, annThere] = server.sides(ann).sort((a) => (a.url === there.url ? 1 : -1));
        const own = granted(await annThere.get<{ subscriptions: { stream_id: number }[] }>('/users/me/subscriptions'));
        expect(own.subscriptions.map(({ stream_id }) => stream_id)).toContain(id);
      });
    });

    it('a name and a role', async () => {
      const [annHere, annThere] = server.sides(ann);
      await inTurns(server.owner, async (here, there, n) => {
        const role = n % 4 < 2 ? Role.moderator : Role.member;
        granted(await here.patch(`/users/${ann.id}`, { full_name: `Ann ${n}`, role }));
        const asked = there.url === annHere.url ? annHere : annThere;
        expect(granted(await asked.get('/users/me'))).toMatchObject({ full_name: `Ann ${n}`, role });
      });
    });

    it('a setting of the organization', async () => {
      await inTurns(server.owner, async (here, there, n) => {
        granted(await here.patch('/realm', { waiting_period_threshold: n + 1 }));
        const state = await there.register({ fetch_event_types: ['realm'] });
        expect(state['realm_waiting_period_threshold']).toBe(n + 1);
      });
    });
  });

  describe('what one api has ended is dead on the other at once:', () => {
    it('an account', async () => {
      await inTurnsOfPeople(async (person, here, there) => {
        expect((await person.at(there.url).get('/users/me')).status).toBe(200);
        granted(await here.delete(`/users/${person.id}`));
        expect(await person.at(there.url).get('/users/me')).toMatchObject({
          status: 401,
          body: { result: 'error', code: 'USER_DEACTIVATED' },
        });
      });
    });

    it('a bot', async () => {
      await inTurnsOfPeople(async (person, here, there) => {
        const bot = await server.bot(person);
        expect((await bot.at(there.url).get('/users/me')).status).toBe(200);
        granted(await here.delete(`/bots/${bot.id}`));
        expect((await bot.at(there.url).get('/users/me')).body).toMatchObject({ code: 'USER_DEACTIVATED' });
      });
    });

    it('a key that gave way to newer ones', async () => {
      const person = await server.person();
      const [here, there] = server.urls.map((url) => person.at(url));
      const login = { username: person.email, password: person.password };
      const keys: string[] = [];
      while ((await there?.get('/users/me'))?.status === 200) {
        expect(keys.length).toBeLessThan(TOO_MANY_KEYS);
        keys.push(
          granted(await server.anonymous.at(here?.url ?? '').post<{ api_key: string }>('/fetch_api_key', login))
            .api_key,
        );
      }
      expect((await there?.get('/users/me'))?.body).toMatchObject({ code: 'INVALID_API_KEY' });
      const newest = server.as({ email: person.email, key: keys.at(-1) ?? '' });
      expect((await newest.at(there?.url ?? '').get('/users/me')).status).toBe(200);
    });

    /** A few new users, because each costs two hashes of a password. */
    async function inTurnsOfPeople(act: (person: Person, here: Caller, there: Caller) => Promise<void>): Promise<void> {
      const [one, other] = server.sides(server.owner);
      for (let n = 0; n < 6; n++) {
        const person = await server.person();
        await (n % 2 === 0 ? act(person, one, other) : act(person, other, one));
      }
    }
  });

  describe('a queue', () => {
    it('that was registered on one api is polled on the other', async () => {
      const [here, there] = server.sides(ann);
      const queue = await here.register({ event_types: ['message'] });
      const ids = [await send(server.owner, 'for the other side'), await send(server.owner, 'as well')];
      expect(messagesOf(await there.events(queue))).toEqual(ids);
      expect(messagesOf(await here.events(queue))).toEqual(ids);
    });

    it('that hangs on one api is answered by what happens on the other', async () => {
      const [here, there] = server.sides(ann);
      for (let n = 0; n < 10; n++) {
        const queue = await here.register({ event_types: ['message'] });
        const hanging = here.poll(queue.queue_id, queue.last_event_id);
        const id = await send(there, `wake up ${n}`);
        expect(messagesOf(await hanging)).toEqual([id]);
      }
    });

    it('that was deleted through one api does not exist on the other', async () => {
      const [here, there] = server.sides(ann);
      const queue = await here.register({ event_types: ['message'] });
      granted(await here.delete('/events', { queue_id: queue.queue_id }));
      const params = { queue_id: queue.queue_id, last_event_id: queue.last_event_id, dont_block: true };
      expect((await there.get('/events', params)).body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
    });

    it('behind a balancer without sticky sessions gets everything, once and in order', async () => {
      const queue = await ann.register({ event_types: ['message'] });
      const sent: number[] = [];
      const got: WireEvent[] = [];
      const sending = (async () => {
        for (let n = 0; n < TIMES; n++) sent.push(await send(server.owner, `balanced ${n}`));
      })();
      while (got.length < TIMES) {
        const events = await ann.poll(queue.queue_id, got.at(-1)?.id ?? queue.last_event_id);
        got.push(...events);
      }
      await sending;
      expect(messagesOf(got)).toEqual(sent);
      expect(await ann.events(queue, got.at(-1)?.id)).toEqual([]);
    });
  });
}
