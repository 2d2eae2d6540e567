import type { Bench, Figures } from '../../harness';
import { ROUNDS } from '../../harness';
import type { Annals } from '../../http/annals';
import type { Answered, HttpLoad } from '../../http/autocannon';
import { httpLoad } from '../../http/autocannon';
import { CONTENT } from '../../message';

const CONNECTIONS = 64;
/** The least time for each load: in less, nothing may be answered. */
const LEAST_SECONDS = 2;

/**
 * Readers of one page beside senders of messages, and each alone, in turns. Rates are the means of all turns.
 *
 * @param page path of the page
 * @param channel to which messages are sent; not that of the page
 */
export async function measureBeside(
  bench: Bench,
  { address }: Pick<Annals, 'address'>,
  page: string,
  channel: number,
): Promise<Figures> {
  const common = { address, connections: CONNECTIONS, seconds: Math.max(LEAST_SECONDS, bench.seconds / ROUNDS) };
  const reading: HttpLoad = { ...common, path: `/api/v1${page}` };
  const form = { type: 'channel', to: String(channel), topic: 'beside', content: CONTENT };
  const sending: HttpLoad = { ...common, path: '/api/v1/messages', form };
  const alone = { readers: [] as Answered[], senders: [] as Answered[] };
  const both = { readers: [] as Answered[], senders: [] as Answered[] };
  for (let round = 1; round <= ROUNDS; round++) {
    bench.say(`${CONNECTIONS} readers beside ${CONNECTIONS} senders, round ${round}`);
    alone.readers.push(await httpLoad(reading));
    alone.senders.push(await httpLoad(sending));
    const [readers, senders] = await Promise.all([httpLoad(reading), httpLoad(sending)]);
    both.readers.push(readers);
    both.senders.push(senders);
  }
  return {
    ...rateOf('reading.readers.alone', alone.readers),
    ...rateOf('reading.readers.beside', both.readers),
    ...rateOf('reading.senders.alone', alone.senders),
    ...rateOf('reading.senders.beside', both.senders),
  };
}

const rateOf = (name: string, rounds: readonly Answered[]): Figures => ({
  [`${name}.rate`]: { value: rounds.reduce((sum, { rate }) => sum + rate, 0) / rounds.length, unit: 'requests/s' },
});
