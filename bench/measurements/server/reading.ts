import { join } from 'node:path';
import type { ChannelId } from '@annals/kernel/domain';
import { crowd } from '../../../libs/users/src/spec-support/crowd';
import type { Bench, Figures, Measurement } from '../../harness';
import { closedLoop } from '../../harness';
import type { Annals } from '../../http/annals';
import { startAnnals } from '../../http/annals';
import { followed, openKernel } from '../../http/beside';
import { makeBot } from '../../http/bot';
import { ApiClient } from '../../http/client';
import { LOCAL_EMAIL, LOCAL_KEY } from '../../http/local-key';
import { sendPast } from '../../http/past';
import { postgresPids, usageOf, usedBetween } from '../../http/processor-time';
import { startProgram } from '../../http/program';
import { measureBeside } from './beside';

const CALLERS = 16;
const CHANNELS = 10;
/** The author of the stored messages. */
const PEOPLE = 200;
const PAGE = 'num_before=50&num_after=50';
/** Messages of the direct conversation, if as many are stored. */
const DIRECT = 10_000;
/** The newest messages, which the reader has not read. */
const UNREAD = 50_000;

/** Pages of messages in a long past, and a bare handler of the same stack that sends as many bytes. */
export const reading: Measurement = {
  name: 'reading',
  title: 'Pages of 100 messages of a long past',
  async run(bench) {
    const annals = await startAnnals(bench);
    const { owner } = annals;
    const { user_id } = await owner.get('/users/me');
    const channels: ChannelId[] = [];
    for (let n = 0; n < CHANNELS; n++) {
      const { id } = await owner.post('/channels/create', { name: `past ${n}`, subscribers: `[${String(user_id)}]` });
      channels.push(id as ChannelId);
    }
    const kernel = await openKernel(bench, annals.databaseUrl);
    const senders = await crowd(kernel, PEOPLE);
    const store = (count: number) =>
      sendPast(kernel, {
        ...{ channels, senders, count },
        progress: (done) => bench.say('storing messages', `${done} of ${count}`),
      });
    const unread = Math.min(UNREAD, bench.stored);
    const read = await store(bench.stored - unread);
    await owner.post('/mark_all_as_read');
    const past = await store(unread);
    const stored = read.messages + past.messages;
    const peer = await converse(bench, annals);
    bench.say('waiting for the worker');
    await followed(kernel);
    await kernel.database.pool.query('VACUUM (ANALYZE)');
    const one = `/messages/${past.deleted.messageIds.at(-1) ?? 0}`;
    const paths = { one, ...pathsOf(channels, past.deleted.name, stored, peer) };
    return {
      'reading.stored': { value: stored, unit: 'messages' },
      ...(await measureBare(bench, 'reading.bare', await bytesOf(owner, 'GET', paths.topic))),
      ...(await measureBare(bench, 'reading.bareOne', await bytesOf(owner, 'GET', one))),
      ...(await measurePages(bench, annals, paths)),
      ...(await measureBeside(bench, annals, paths.topic, channels[1] ?? 0)),
    };
  },
};

/** Writes direct messages to a bot. @returns its id */
async function converse(bench: Bench, { owner }: Annals): Promise<number> {
  const bot = await makeBot(owner);
  bench.after(async () => bot.close());
  const { user_id } = await bot.get('/users/me');
  const count = Math.min(DIRECT, bench.stored);
  let next = 0;
  const sending = async () => {
    while (next < count) {
      bench.say('storing direct messages', `${next} of ${count}`);
      const content = `message ${next++} of *many*`;
      await owner.post('/messages', { type: 'direct', to: `[${String(user_id)}]`, content });
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, sending));
  return Number(user_id);
}

function pathsOf([channel]: readonly ChannelId[], topic: string, messages: number, peer: number) {
  const page = (anchor: number | 'newest', ...terms: readonly [string, unknown][]) =>
    `/messages?anchor=${anchor}&${PAGE}&narrow=${encodeURIComponent(JSON.stringify(terms))}`;
  const old = Math.floor(messages / 3);
  const ofChannel = ['channel', channel] as const satisfies [string, unknown];
  const newest = (...terms: readonly [string, unknown][]) =>
    `/messages?anchor=newest&num_before=100&num_after=0&narrow=${encodeURIComponent(JSON.stringify(terms))}`;
  return {
    topic: newest([...ofChannel], ['topic', topic]),
    conversation: newest(['dm', [peer]]),
    channel: page(old, [...ofChannel]),
    combined: page(old),
    pastTopic: `${newest([...ofChannel], ['topic', topic])}&as_of=p${2 * old}`,
    pastCombined: `${page(old)}&as_of=p${2 * old}`,
  };
}

/** Requests a second, how long one takes, and what all processes use for it. */
async function measurePages(bench: Bench, { owner, api }: Annals, paths: Readonly<Record<string, string>>) {
  const pids = () => [api, ...postgresPids(bench.postgres)];
  const figures: Figures[] = [];
  for (const [name, path] of Object.entries(paths)) {
    bench.say(`reading: ${name}`);
    figures.push(await measure(`reading.${name}`, bench.seconds, pids, () => owner.receive('GET', path)));
    const alone = await closedLoop({ callers: 1, seconds: bench.seconds / 2 }, () => owner.receive('GET', path));
    figures.push(alone.figures(`reading.${name}.alone`, 'requests/s'));
  }
  return Object.assign({}, ...figures) as Figures;
}

/** The length of an answer as JSON. */
export async function bytesOf(owner: ApiClient, method: 'GET' | 'POST', path: string): Promise<number> {
  const [route = '', query] = path.split('?');
  const params = Object.fromEntries(new URLSearchParams(query));
  const answer = method === 'GET' ? await owner.get(route, params) : await owner.post(route, params);
  return Buffer.byteLength(JSON.stringify(answer));
}

/** A handler of the same stack that sends so many bytes. */
export async function measureBare(bench: Bench, name: string, bytes: number): Promise<Figures> {
  const script = join(__dirname, '..', '..', 'http', 'bare-stack.js');
  const bare = await startProgram({ script, env: process.env, folder: bench.folder });
  bench.after(bare.stop);
  const client = new ApiClient(bare.address, LOCAL_EMAIL, LOCAL_KEY);
  bench.after(async () => client.close());
  bench.say('a bare handler that sends as many bytes');
  const pids = () => [bare.pid];
  return measure(name, bench.seconds, pids, () => client.receive('GET', `/messages?bytes=${bytes}`));
}

/** `<name>.rate`, percentiles, and `<name>.cpu`: processor time of one request. */
export async function measure(
  name: string,
  seconds: number,
  pids: () => readonly number[],
  call: () => Promise<unknown>,
): Promise<Figures> {
  await closedLoop({ callers: CALLERS, seconds: seconds / 2 }, call);
  let calls = 0;
  const before = usageOf(pids());
  const load = await closedLoop({ callers: CALLERS, seconds }, async () => {
    await call();
    calls += 1;
  });
  const { micros } = usedBetween(before, usageOf(pids()));
  return { ...load.figures(name, 'requests/s'), [`${name}.cpu`]: { value: micros / calls, unit: 'µs' } };
}
