import { join } from 'node:path';
import type { Bench, Measurement } from '../../harness';
import { closedLoop } from '../../harness';
import { startAnnals } from '../../http/annals';
import { followed, openKernel } from '../../http/beside';
import { ApiClient } from '../../http/client';
import { sendEvenly } from '../../http/evenly';
import { peopleWithKeys } from '../../accounts/people-with-keys';
import { LOCAL_EMAIL, LOCAL_KEY } from '../../http/local-key';
import { usageOf, usedBetween } from '../../http/processor-time';
import { startProgram } from '../../http/program';

const PEOPLE = 20_000;
/** Each person pings once in this time. */
const EVERY_SECONDS = 60;
const RATE = Math.ceil(PEOPLE / EVERY_SECONDS);
const PATH = '/users/me/presence';
const PING = { status: 'active', slim_presence: 'true', new_user_input: 'false' };

/**
 * Processor time of one api process that receives pings of many people at even distances. Before it is measured each person
 * has pinged once, so that keys, accounts and presences are known, and every ping changes a presence.
 */
export const presence: Measurement = {
  name: 'presence',
  title: `Presence of ${PEOPLE.toLocaleString('en-US')} people`,
  async run(bench) {
    const bare = await costOfBare(bench);
    const { owner, api, databaseUrl } = await startAnnals(bench);
    const kernel = await openKernel(bench, databaseUrl);
    bench.say('opening accounts');
    const people = await peopleWithKeys(kernel, PEOPLE);
    await followed(kernel);
    const pings = new Pings(
      people.map(({ email, key }) => owner.as(email, key)),
      PATH,
    );
    const only = { ...PING, ping_only: 'true' };
    bench.say('pinging once');
    await pings.send(only, EVERY_SECONDS);
    const { presence_last_update_id: minuteAgo } = await owner.post(PATH, { ...PING, history_limit_days: '1' });
    bench.say('pinging');
    const alone = await pings.costOf(api, only, EVERY_SECONDS);
    bench.say('asking for all presences');
    const body = new URLSearchParams({ ...PING, last_update_id: String(minuteAgo) }).toString();
    const before = usageOf([api]);
    let asked = 0;
    await closedLoop({ callers: 1, seconds: bench.seconds }, async () => {
      await owner.send('POST', PATH, body);
      asked += 1;
    });
    const { micros } = usedBetween(before, usageOf([api]));
    return {
      'presence.ping.cpu': { value: alone.micros, unit: 'µs' },
      'presence.bare.cpu': { value: bare.micros, unit: 'µs' },
      'presence.ping.share': { value: alone.percent, unit: '%' },
      'presence.list.cpu': { value: micros / asked, unit: 'µs' },
    };
  },
};

/** The same number of requests to a server of the same stack whose handler returns at once. */
async function costOfBare(bench: Bench): Promise<Cost> {
  const script = join(__dirname, '..', '..', 'http', 'bare-stack.js');
  const bare = await startProgram({ script, env: process.env, folder: bench.folder });
  const client = new ApiClient(bare.address, LOCAL_EMAIL, LOCAL_KEY);
  const requests = new Pings([client], '/messages');
  const form = { type: 'channel', to: 'general', topic: 'presence', content: 'active' };
  await requests.send(form, EVERY_SECONDS);
  const cost = await requests.costOf(bare.pid, form, bench.seconds);
  client.close();
  await bare.stop();
  return cost;
}

/** µs of one request, and the part of one processor. */
interface Cost {
  readonly micros: number;
  readonly percent: number;
}

/** The pings of people in turn. */
class Pings {
  private next = 0;

  constructor(
    private readonly clients: readonly ApiClient[],
    private readonly path: string,
  ) {}

  async send(form: Readonly<Record<string, string>>, seconds: number): Promise<number> {
    return sendEvenly(async () => this.ping(form), RATE, seconds);
  }

  async costOf(pid: number, form: Readonly<Record<string, string>>, seconds: number): Promise<Cost> {
    const before = usageOf([pid]);
    const sent = await this.send(form, seconds);
    const { micros } = usedBetween(before, usageOf([pid]));
    return { micros: micros / sent, percent: (micros / (seconds * 1_000_000)) * 100 };
  }

  private async ping(form: Readonly<Record<string, string>>): Promise<void> {
    const client = this.clients[this.next++ % this.clients.length];
    await client?.post(this.path, form);
  }
}
