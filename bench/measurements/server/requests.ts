import { setTimeout as delay } from 'node:timers/promises';
import { Load } from '../../harness';
import type { Figures, Measurement } from '../../harness';
import { startAnnals } from '../../http/annals';
import { openKernel } from '../../http/beside';
import { makeBot } from '../../http/bot';
import type { ApiClient } from '../../http/client';
import type { HeavyRequest } from '../../http/heavy-requests';
import { heavyRequests } from '../../http/heavy-requests';
import { fillOrganization } from '../../http/organization';

/** How often each is sent alone; what others wait is the middle of these. */
const TIMES = 3;

/** The effect of one user's heaviest requests on another user, who sends small requests one after the other. */
export const requests: Measurement = {
  name: 'requests',
  title: 'GET /users/me while somebody else sends the heaviest requests known',
  async run(bench) {
    const { owner, databaseUrl } = await startAnnals(bench);
    const kernel = await openKernel(bench, databaseUrl);
    const organization = await fillOrganization(bench, kernel, owner);
    const other = await makeBot(owner, 'other');
    bench.after(async () => other.close());
    const heavy = heavyRequests(organization);
    bench.say('nobody else sends anything');
    const alone = await waitsWhile(other, () => delay(bench.seconds * 1_000));
    const figures: Record<string, Figures[string]> = {
      'requests.alone.p99': { value: alone.percentile(99), unit: 'ms' },
    };
    for (const request of heavy) {
      bench.say(request.name);
      const waits: number[] = [];
      for (let n = 0; n < TIMES; n++)
        waits.push((await waitsWhile(other, () => sent(owner, request, n))).percentile(100));
      const [, middle = 0] = waits.sort((a, b) => a - b);
      figures[`requests.${request.name}.longest`] = { value: middle, unit: 'ms' };
    }
    bench.say('all of them at once');
    const until = performance.now() + bench.seconds * 1_000;
    const again = async (request: HeavyRequest) => {
      for (let n = TIMES; performance.now() < until; n++) await sent(owner, request, n);
    };
    const load = await waitsWhile(other, () => Promise.all(heavy.map(again)));
    return { ...figures, 'requests.all.p99': { value: load.percentile(99), unit: 'ms' } };
  },
};

async function sent(by: ApiClient, { method, path, body, type, status, name }: HeavyRequest, n: number): Promise<void> {
  const answered = await by.send(method, path, body(n), type);
  if (answered !== status) throw new Error(`${name}: answered ${answered}`);
}

/** How long each of a user's requests took while something was done. */
async function waitsWhile(other: ApiClient, deed: () => Promise<unknown>): Promise<Load> {
  const load = new Load(1);
  let isOver = false;
  const asking = (async () => {
    do {
      const began = performance.now();
      await other.get('/users/me');
      load.record(performance.now() - began, 0);
    } while (!isOver);
  })();
  try {
    await deed();
  } finally {
    isOver = true;
    await asking;
  }
  return load;
}
