import { join } from 'node:path';
import type { Figures, Measurement } from '../../harness';
import { ROUNDS } from '../../harness';
import { startAnnals } from '../../http/annals';
import type { Answered } from '../../http/autocannon';
import { httpLoad } from '../../http/autocannon';
import { startProgram } from '../../http/program';
import { MESSAGE } from '../../message';

const CONNECTIONS = 64;

/** Sending over HTTP, durable when it is answered, and the same request to a server that keeps nothing. */
export const http: Measurement = {
  name: 'http',
  title: `POST /messages on ${CONNECTIONS} connections, and the bare HTTP stack`,
  async run(bench) {
    const annals = await startAnnals(bench);
    const script = join(__dirname, '..', '..', 'http', 'bare-stack.js');
    const bare = await startProgram({ script, env: process.env, folder: bench.folder });
    bench.after(bare.stop);
    const answered = { bare: [] as Answered[], messages: [] as Answered[] };
    const load = { path: '/api/v1/messages', form: MESSAGE, connections: CONNECTIONS, seconds: bench.seconds / ROUNDS };
    for (let round = 1; round <= ROUNDS; round++) {
      bench.say(`bare stack, round ${round}`);
      answered.bare.push(await httpLoad({ ...load, address: bare.address }));
      bench.say(`POST /messages, round ${round}`);
      answered.messages.push(await httpLoad({ ...load, address: annals.address }));
    }
    return { ...figuresOf('http.bare', answered.bare), ...figuresOf('http.messages', answered.messages) };
  },
};

/** The round in the middle. */
function figuresOf(name: string, rounds: readonly Answered[]): Figures {
  const middle = [...rounds].sort((a, b) => a.rate - b.rate)[rounds.length >> 1];
  if (!middle) throw new Error(`${name} was not measured`);
  return {
    [`${name}.rate`]: { value: middle.rate, unit: 'requests/s' },
    [`${name}.p50`]: { value: middle.p50, unit: 'ms' },
    [`${name}.p99`]: { value: middle.p99, unit: 'ms' },
  };
}
