import type { ChannelId } from '@annals/kernel/domain';
import type { WireEvent } from '../support/server/caller';
import { granted } from '../support/server/caller';
import { PollingClient } from '../support/events/polling-client';
import type { Person } from '../support/server/organization';
import { PostgresProxy } from '../support/faults/postgres-proxy';
import type { ProcessServer } from '../support/processes/processes';
import { startProcesses } from '../support/processes/processes';

let server: ProcessServer;
let ann: Person;
let channel: ChannelId;

async function start(): Promise<void> {
  server = await startProcesses({ workers: 0 });
  ann = await server.person({ name: 'Ann' });
  channel = await server.channel(server.owner, { subscribers: [server.owner, ann] });
}

/** Sends these texts one after another. @returns their ids */
async function send(texts: readonly string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const content of texts) {
    const message = { type: 'channel', to: channel, topic: 'faults', content };
    ids.push(granted(await server.owner.post<{ id: number }>('/messages', message)).id);
  }
  return ids;
}

const texts = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name} ${n}`);
const idsOf = (events: readonly WireEvent[]) => events.map(({ message }) => (message as { id: number }).id);
const listen = () => ann.register({ event_types: ['message'], fetch_event_types: [] });

describe('client events', () => {
  beforeAll(start);
  afterAll(() => server.close());

  it('arrive while no worker lives, where they follow from the log', async () => {
    const queue = await listen();
    const sent = await send(texts('nobody translates', 3));
    const params = { queue_id: queue.queue_id, last_event_id: queue.last_event_id, dont_block: true };
    expect(idsOf(granted(await ann.get<{ events: WireEvent[] }>('/events', params)).events)).toEqual(sent);
  });

  it('arrive when a worker starts, although none lived between their commit and their translation', async () => {
    const queue = await ann.register({ event_types: ['message', 'reaction'], fetch_event_types: [] });
    const [message] = await send(['nobody translates']);
    granted(await server.owner.post(`/messages/${message}/reactions`, { emoji_name: 'wave' }));
    await send(['after it']);
    const params = { queue_id: queue.queue_id, last_event_id: queue.last_event_id, dont_block: true };
    const { events } = granted(await ann.get<{ events: WireEvent[] }>('/events', params));
    expect(events.map(({ type }) => type)).toEqual(['message']);
    await server.startWorker();
    expect((await ann.events(queue)).map(({ type }) => type)).toEqual(['message', 'reaction', 'message']);
  });

  it('are delivered although the api that wrote was killed after its commit, before it sent a wake-up', async () => {
    const proxy = await PostgresProxy.open(server.env['DATABASE_URL'] ?? '');
    const api = await server.startApi({ DATABASE_URL: proxy.url });
    const message = { type: 'channel', to: channel, topic: 'faults', content: 'unheard of' };
    const queue = await listen();
    const died = proxy.atNextCommit(async (commit) => {
      await commit.reach();
      await server.kill(api);
    });
    await expect(server.owner.at(api.url).post('/messages', message)).rejects.toThrow();
    await died;
    await proxy.close();
    expect((await ann.events(queue)).map((event) => event.message)).toMatchObject([{ subject: 'faults' }]);
  });

  it('arrive once and in order however workers die and start while messages are sent', async () => {
    const follower = new PollingClient(ann, await listen());
    const sending = send(texts('somebody translates', 100));
    for (let round = 0; round < 2; round++) {
      await follower.received(20 * (round + 1));
      await Promise.all(server.workers.map((worker) => server.kill(worker)));
      await server.startWorker();
    }
    const sent = await sending;
    expect(idsOf(await follower.received(sent.length))).toEqual(sent);
    await follower.stop();
  });

  it('arrive on the same queue after the api was killed and another one started', async () => {
    const queue = await listen();
    const follower = new PollingClient(ann, queue);
    const before = await send(texts('before', 3));
    await follower.received(before.length);
    await Promise.all(server.apis.map((api) => server.kill(api)));
    await server.startApi();
    const after = await send(texts('after', 3));
    expect(idsOf(await follower.received(6))).toEqual([...before, ...after]);
    await follower.stop();
    expect(idsOf(await ann.events(queue))).toEqual([...before, ...after]);
  });
});
