import { Load } from '../../harness';
import type { Measurement } from '../../harness';
import { startAnnals } from '../../http/annals';
import { makeBot } from '../../http/bot';
import type { Answer } from '../../http/client';
import { Receiver } from '../../http/receiver';

/** Messages before the ones that count. */
const WARM_UP = 20;

/** From the sender's answer to the receiver's, one message after the other on a machine that does nothing else. */
export const latency: Measurement = {
  name: 'latency',
  title: 'From send to receive',
  async run(bench) {
    const { owner } = await startAnnals(bench);
    const sender = await makeBot(owner);
    bench.after(async () => sender.close());
    const receiver = await Receiver.register(owner, 'message');
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
      const { event, at } = await arriving;
      const arrived = (event['message'] as Answer)['id'];
      if (arrived !== id) throw new Error(`message ${String(id)} was sent, ${String(arrived)} arrived`);
      if (sent >= WARM_UP) load.record(Math.max(0, at - answered), 0);
    }
    return load.figures('latency');
  },
};
