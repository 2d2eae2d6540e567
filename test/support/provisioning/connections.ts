import { StreamClient } from '../events/stream-client';
import { Browser } from '../server/browser';
import type { Caller } from '../server/caller';
import { granted } from '../server/caller';
import type { Person } from '../server/organization';
import type { TestServer } from '../server/server';

/** How a person was logged in, and whether anything of it can still be used. */
export interface OpenConnections {
  /** Resolves when everything that was open has ended. @returns statuses of polls, and the last events of streams */
  ended(): Promise<{ readonly polls: readonly number[]; readonly streams: readonly unknown[] }>;
  /** The statuses of requests with what the person had. */
  statuses(): Promise<readonly number[]>;
}

/** Opens every kind of connection of an owner and of their bot, in both processes of a server. */
export async function openConnections(server: TestServer, person: Person): Promise<OpenConnections> {
  const elsewhere = server.apis[1]?.url ?? '';
  const there = person.at(elsewhere);
  const bot = await server.bot(person);
  const browser = new Browser(person.url);
  await browser.fill('/login', { username: person.email, password: person.password }, '/login');
  const consumer = (name: string) => person.post('/feed/consumers', { ...MESSAGES, name: `${name}-${person.id}` });
  for (const name of ['stream', 'pull']) granted(await consumer(name));
  const streams = [
    await StreamClient.open(there, await queueOf(there)),
    await StreamClient.openAt(`/feed/consumers/stream-${person.id}/events`, there, {}),
  ];
  const polls = [
    poll(there, await queueOf(there)),
    poll(bot.at(elsewhere), await queueOf(bot.at(elsewhere))),
    there.get(`/feed/consumers/pull-${person.id}/events`, { wait: 90 }),
  ];
  return {
    async ended() {
      const statuses = (await Promise.all(polls)).map(({ status }) => status);
      return { polls: statuses, streams: await Promise.all(streams.map(endOf)) };
    },
    async statuses() {
      const keys = [person, there, bot, bot.at(elsewhere)].map(async (one) => (await one.get('/users/me')).status);
      const pages = [browser, browser.at(elsewhere)].map(async (one) => (await one.open('/account')).path);
      const paths = await Promise.all(pages);
      return [...(await Promise.all(keys)), ...paths.map((path) => (path.startsWith('/login') ? 401 : 200))];
    },
  };
}

interface Queue {
  readonly queue_id: string;
  readonly last_event_id: number;
}

const queueOf = async (caller: Caller): Promise<Record<keyof Queue, string | number>> => {
  const { queue_id, last_event_id } = await caller.register({ event_types: ['message'] });
  return { queue_id, last_event_id };
};

const poll = (caller: Caller, queue: Awaited<ReturnType<typeof queueOf>>) => caller.get('/events', queue);

const MESSAGES = { view: 'domain', types: ['messages.MessageSent'] };

/** The last event of a stream that ends. */
async function endOf(stream: StreamClient<unknown>): Promise<unknown> {
  let last: unknown = null;
  for (let event = await stream.event(); event !== null; event = await stream.event()) last = event;
  return last;
}
