import { WebhookReceiver } from '../../support/bots/webhook-receiver';
import { ConsumerCaller } from '../../support/consumers/consumer-caller';
import { sentIds } from '../../support/consumers/webhook-caller';
import { granted } from '../../support/server/caller';
import { until } from '../../support/push/push';
import type { ProcessServer } from '../../support/processes/processes';
import { startProcesses } from '../../support/processes/processes';

/** More than two requests have. */
const COUNT = 250;

let server: ProcessServer;
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  server = await startProcesses({ env: WebhookReceiver.ENV });
  await server.channel(server.owner, { name: 'room', subscribers: [server.owner] });
});
afterAll(async () => {
  await server.close();
  receiver.stop();
});

const send = async () =>
  `1/${granted(await server.owner.post<{ id: number }>('/messages', { type: 'channel', to: 'room', topic: 'a', content: 'x' })).id}`;

describe('a webhook whose worker is killed in the middle of a request', () => {
  it('gets the same request from another worker, and everything in order', async () => {
    const { owner } = server;
    const consumer = await ConsumerCaller.created(owner, 'indexer', { types: ['messages.MessageSent'] });
    const sent: string[] = [];
    for (let n = 0; n < COUNT; n += 1) sent.push(await send());
    const [first] = server.workers;
    if (!first) throw new Error('no worker runs');
    let kills = 0;
    receiver.answer = async () => {
      if (receiver.asked.length === 2) {
        await server.startWorker();
        await server.kill(first);
        kills += 1;
      }
      return 'thanks';
    };
    granted(await owner.put(`/feed/consumers/${consumer.name}/webhook`, { url: receiver.url, batch: true }));
    const last = sent.at(-1) ?? '';
    await until(async () => sentIds(receiver.asked).includes(last) && (await consumer.shown())['in_flight'] === 0);
    expect(kills).toBe(1);
    const requests = new Map(receiver.asked.map((request) => [request.headers['webhook-id'], request]));
    expect(receiver.asked.length).toBe(requests.size + 1);
    expect(sentIds([...requests.values()])).toEqual(sent);
    const [, second, again] = receiver.asked;
    expect(again?.body).toBe(second?.body);
  });
});
