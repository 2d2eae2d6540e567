import { Load } from '../../harness';
import type { Bench, Figures, Measurement } from '../../harness';
import { startAnnals } from '../../http/annals';
import { makeBot } from '../../http/bot';
import type { ApiClient } from '../../http/client';
import { worst } from '../../http/worst-texts';

/** Requests that one account has under way at a time. */
const AT_ONCE = 40;
/** Together more than the server keeps rendered. */
const MESSAGES = 400;

/** The effect of one account that reads the worst texts on another, which sends small requests one after the other. */
export const texts: Measurement = {
  name: 'texts',
  title: `GET /users/me while somebody else reads pages of the worst texts, ${AT_ONCE} at a time`,
  async run(bench) {
    const { owner } = await startAnnals(bench);
    const [other, reader] = [await makeBot(owner, 'other'), await makeBot(owner, 'reader')];
    bench.after(async () => [other, reader].forEach((client) => client.close()));
    const ids: number[] = [];
    for (let n = 0; n < MESSAGES; n++) {
      bench.say(`message ${n + 1} of ${MESSAGES}`);
      const message = { type: 'channel', to: 'general', topic: 'worst', content: worst(n) };
      ids.push(Number((await owner.post('/messages', message))['id']));
    }
    bench.say('nobody reads');
    const quiet = await asking(bench, other);
    bench.say('somebody reads');
    let isOver = false;
    const read = async (first: number) => {
      for (let n = first; !isOver; n += AT_ONCE) await reader.receive('GET', pageBefore(ids[n % ids.length] ?? 0));
    };
    const reading = Promise.all(Array.from({ length: AT_ONCE }, (_, n) => read(n * 10)));
    const busy = await asking(bench, other);
    isOver = true;
    await reading;
    return { ...figuresOf('texts.quiet', quiet), ...figuresOf('texts.busy', busy) };
  },
};

const pageBefore = (anchor: number): string =>
  `/messages?${new URLSearchParams({ anchor: String(anchor), num_before: '1000', num_after: '1000', narrow: '[["channel","general"]]' }).toString()}`;

async function asking(bench: Bench, by: ApiClient): Promise<Load> {
  const load = new Load(bench.seconds);
  const until = performance.now() + bench.seconds * 1_000;
  while (performance.now() < until) {
    const began = performance.now();
    await by.get('/users/me');
    load.record(performance.now() - began, 0);
  }
  return load;
}

function figuresOf(name: string, load: Load): Figures {
  const { [`${name}.rate`]: _, ...waits } = load.figures(name);
  return waits;
}
