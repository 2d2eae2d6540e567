import { setImmediate } from 'node:timers/promises';
import type { Bench, Figures, Measurement } from '../../harness';
import { closedLoop } from '../../harness';
import { startAnnals } from '../../http/annals';
import { openKernel } from '../../http/beside';
import type { ApiClient } from '../../http/client';
import { createChannels, fill } from './messages';

/** The least time for each search. */
const SECONDS = 4;
/** How often it is measured when a new message is found. */
const NEW_MESSAGES = 20;

/** Searches for words of most messages, of one in a hundred, of a single one, and of none. */
const SEARCHES = {
  common: 'people',
  phrase: '"people say"',
  seldom: 'seldom',
  rare: 'needle',
  absent: 'unicorn',
} as const;

export const search: Measurement = {
  name: 'search',
  title: 'Searching for words among the messages of a long past',
  async run(bench) {
    const { owner, databaseUrl } = await startAnnals(bench);
    const channels = await createChannels(owner);
    const to = String(channels[0]);
    await owner.post('/messages', { type: 'channel', to, topic: 'hay', content: 'a needle' });
    const kernel = await openKernel(bench, databaseUrl);
    const { messages } = await fill(bench, kernel, channels);
    return {
      'search.stored': { value: messages, unit: 'messages' },
      ...(await measureSearches(bench, owner)),
      ...(await measureFreshness(bench, owner, to)),
    };
  },
};

const queryOf = (words: string) => ({
  ...{ anchor: 'newest', num_before: '100', num_after: '0' },
  narrow: JSON.stringify([{ operator: 'search', operand: words }]),
});

async function measureSearches(bench: Bench, owner: ApiClient): Promise<Figures> {
  const figures: Figures[] = [];
  for (const [name, words] of Object.entries(SEARCHES)) {
    bench.say(`searching: ${name}`);
    const load = await closedLoop({ callers: 1, seconds: Math.max(SECONDS, bench.seconds / 2) }, () =>
      owner.receive('GET', `/messages?${new URLSearchParams(queryOf(words)).toString()}`),
    );
    figures.push(load.figures(`search.${name}`, 'requests/s'));
  }
  return Object.assign({}, ...figures) as Figures;
}

/** From the answer to a message until a search finds it, for a user who searches again and again. */
async function measureFreshness(bench: Bench, owner: ApiClient, to: string): Promise<Figures> {
  bench.say('searching: new messages');
  const times: number[] = [];
  for (let n = 0; n < NEW_MESSAGES; n++) {
    await owner.post('/messages', { type: 'channel', to, topic: 'hay', content: `straw${n}` });
    const began = performance.now();
    while (await isAbsent(owner, `straw${n}`)) await setImmediate();
    times.push(performance.now() - began);
  }
  return { 'search.fresh.longest': { value: Math.max(...times), unit: 'ms' } };
}

async function isAbsent(owner: ApiClient, word: string): Promise<boolean> {
  const { messages } = await owner.get('/messages', queryOf(word));
  return (messages as unknown[]).length === 0;
}
