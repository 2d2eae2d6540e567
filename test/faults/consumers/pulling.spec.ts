import { ConsumerCaller } from '../../support/consumers/consumer-caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { ProcessServer } from '../../support/processes/processes';
import { startProcesses } from '../../support/processes/processes';

const COUNT = 60;
const KILLS = 3;

let server: ProcessServer;
let owner: Person;
beforeAll(async () => {
  server = await startProcesses();
  ({ owner } = server);
  await server.channel(owner, { name: 'room', subscribers: [owner] });
});
afterAll(() => server.close());

const send = async (topic: string) =>
  `1/${granted(await owner.post<{ id: number }>('/messages', { type: 'channel', to: 'room', topic, content: 'x' })).id}`;

describe('a consumer whose api is killed while workers pull', () => {
  it('skips nothing, and what was acknowledged is not offered again', async () => {
    const wanted = { types: ['messages.MessageSent'] };
    const consumer = await ConsumerCaller.created(owner, 'indexer', wanted);
    const sent: string[] = [];
    for (let n = 0; n < COUNT; n += 1) sent.push(await send(`topic ${n % 5}`));
    const received: string[] = [];
    const acknowledged = new Set<string>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const api = await server.startApi();
      const there = new ConsumerCaller(owner.at(api.url), consumer.name);
      // The api ends while it answers, or before: its worker does not know what it got.
      const asked = there.ids({ limit: 10, lease: 1, worker: `worker ${kill}` }).catch(() => []);
      await Promise.all([asked, server.kill(api)]);
      received.push(...(await asked));
      await pulled(consumer, received, acknowledged, 10);
    }
    while (acknowledged.size < COUNT) await pulled(consumer, received, acknowledged, 20);
    expect([...new Set(received)].sort()).toEqual([...sent].sort());
    expect(await consumer.ids()).toEqual([]);
    expect(await consumer.shown()).toMatchObject({ in_flight: 0, parked: 0, lag: { events: 0 } });
  });
});

/** Takes the next events and acknowledges them, when there are some. */
async function pulled(consumer: ConsumerCaller, received: string[], acknowledged: Set<string>, limit: number) {
  const ids = await consumer.ids({ limit, wait: 2, worker: 'other' });
  if (ids.length === 0) return;
  expect(ids.filter((id) => acknowledged.has(id))).toEqual([]);
  received.push(...ids);
  granted(await consumer.ack({ ids, worker: 'other' }));
  for (const id of ids) acknowledged.add(id);
}
