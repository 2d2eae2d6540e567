import { Load } from '../harness';
import type { Measurement } from '../harness';
import { startAnnals } from '../http/annals';
import { ApiClient } from '../http/client';
import type { Answer } from '../http/client';

/** Messages before the ones that count. */
const WARM_UP = 20;

/** From the sender's answer to the receiver's, one message after the other on a machine that does nothing else. */
export const latency: Measurement = {
  name: 'latency',
  title: 'From send to receive',
  async run(bench) {
    const { owner, address } = await startAnnals(bench);
    const sender = await makeBot(owner, address);
    bench.after(async () => sender.close());
    const receiver = await Receiver.register(owner);
    const load = new Load(bench.seconds);
    const until = performance.now() + bench.seconds * 1_000;
    for (let sent = 0; performance.now() < until; sent++) {
      const arriving = receiver.next();
      const { id } = await sender.post('/messages', {
        type: 'channel',
        to: 'general',
        topic: 'benchmark',
        content: `message ${sent}`,
      });
      const answered = performance.now();
      const arrived = await arriving;
      if (arrived.messageId !== id) throw new Error(`message ${String(id)} was sent, ${arrived.messageId} arrived`);
      if (sent >= WARM_UP) load.record(Math.max(0, arrived.at - answered), 0);
    }
    return load.figures('latency');
  },
};

/** An account beside the owner's: a bot, since its key comes with it. */
async function makeBot(owner: ApiClient, address: string): Promise<ApiClient> {
  const bot = await owner.post('/bots', { full_name: 'Sender', short_name: 'sender' });
  const { user } = await owner.get(`/users/${String(bot['user_id'])}`);
  return new ApiClient(address, String((user as Answer)['email']), String(bot['api_key']));
}

interface Arrival {
  readonly messageId: number;
  /** On this process's clock, ms. */
  readonly at: number;
}

/** A client that polls without end. */
class Receiver {
  private constructor(
    private readonly client: ApiClient,
    private readonly queueId: string,
    private lastEventId: number,
  ) {}

  static async register(client: ApiClient): Promise<Receiver> {
    const queue = await client.post('/register', { event_types: '["message"]', fetch_event_types: '["message"]' });
    return new Receiver(client, String(queue['queue_id']), Number(queue['last_event_id']));
  }

  /** Polls until a message comes. */
  async next(): Promise<Arrival> {
    for (;;) {
      const query = { queue_id: this.queueId, last_event_id: String(this.lastEventId) };
      const events = (await this.client.get('/events', query))['events'] as Answer[];
      const at = performance.now();
      this.lastEventId = Math.max(...events.map((event) => Number(event['id'])));
      const message = events.find((event) => event['type'] === 'message')?.['message'] as Answer | undefined;
      if (message) return { messageId: Number(message['id']), at };
    }
  }
}
