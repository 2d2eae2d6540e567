import { setTimeout as pause } from 'node:timers/promises';
import type { Measurement } from '../../harness';
import { Load, ROUNDS } from '../../harness';
import { startAnnals } from '../../http/annals';
import { httpLoad } from '../../http/autocannon';
import { openKernel } from '../../http/beside';
import type { ApiClient } from '../../http/client';
import { sendEvenly } from '../../http/evenly';
import { SUBDOMAINS, createOrganizations, ownerAt } from '../../accounts/organizations';
import { MESSAGE } from '../../message';

/** Connections of the noisy organization, each with a request at all times. */
const CONNECTIONS = 128;
/** Messages a second of the quiet one. */
const RATE = 20;
/** The least seconds of all rounds of one kind: with fewer, the p99 is a single message. */
const LEAST_SECONDS = 60;
/** Seconds of noise before the quiet organization is measured. */
const WARM_UP_SECONDS = 2;

/** The sends of an organization alone, and beside one that writes as fast as it is answered. */
export const noisy: Measurement = {
  name: 'noisy',
  title: `${RATE} sends a second beside an organization that sends on ${CONNECTIONS} connections`,
  async run(bench) {
    const annals = await startAnnals(bench, SUBDOMAINS);
    const kernel = await openKernel(bench, annals.databaseUrl);
    const [subdomain = ''] = await createOrganizations(bench, kernel, 1);
    const quiet = ownerAt(bench, annals, subdomain);
    const seconds = Math.max(LEAST_SECONDS, bench.seconds) / ROUNDS;
    const noise = { address: annals.address, path: '/api/v1/messages', form: MESSAGE, connections: CONNECTIONS };
    bench.say('warming up');
    await Promise.all([httpLoad({ ...noise, seconds, warmUp: false }), sendsOf(quiet, seconds)]);
    const [alone, beside] = [new Load(0), new Load(0)];
    let sent = 0;
    for (let round = 1; round <= ROUNDS; round++) {
      bench.say('alone', `round ${round}`);
      alone.add(await sendsOf(quiet, seconds));
      bench.say('beside the noisy one', `round ${round}`);
      const load = httpLoad({ ...noise, seconds: seconds + WARM_UP_SECONDS, warmUp: false });
      await pause(WARM_UP_SECONDS * 1_000);
      beside.add(await sendsOf(quiet, seconds));
      sent += (await load).rate / ROUNDS;
    }
    return {
      ...alone.figures('noisy.alone', 'messages/s'),
      ...beside.figures('noisy.beside', 'messages/s'),
      'noisy.added': { value: beside.percentile(99) - alone.percentile(99), unit: 'ms' },
      'noisy.rate': { value: sent, unit: 'messages/s' },
    };
  },
};

async function sendsOf(sender: ApiClient, seconds: number): Promise<Load> {
  const load = new Load(seconds);
  const send = async () => {
    const began = performance.now();
    await sender.post('/messages', MESSAGE);
    load.record(performance.now() - began, 0);
  };
  await sendEvenly(send, RATE, seconds);
  return load;
}
