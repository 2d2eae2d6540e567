import type { Kernel } from '@annals/kernel';
import type { ChannelId } from '@annals/kernel/domain';
import { crowd } from '../../../libs/users/src/spec-support/crowd';
import type { Bench, Figures, Measurement } from '../../harness';
import { closedLoop, inTurns } from '../../harness';
import type { Annals } from '../../http/annals';
import { startAnnals } from '../../http/annals';
import { followed, openKernel } from '../../http/beside';
import { makeBot } from '../../http/bot';
import type { ApiClient } from '../../http/client';
import type { FilledPast } from '../../http/past';
import { sendPast } from '../../http/past';
import { measureDeletion, measureMoves } from '../../http/topics';
import { Writer } from '../../http/writer';

const CALLERS = 16;
const CHANNELS = 10;
/** The least time for each of the reads: an answer may take a second. */
const READING_SECONDS = 4;
/** The author of the stored messages. */
const PEOPLE = 200;

/**
 * The cost of messages in an organization that has many, and the cost of changes of very large topics for other
 * writers.
 */
export const messages: Measurement = {
  name: 'messages',
  title: 'Messages of an organization with a long past, and of a new one',
  async run(bench) {
    const empty = await startAnnals(bench);
    const emptyChannels = await createChannels(empty.owner);
    const full = await startAnnals(bench);
    const channels = await createChannels(full.owner);
    const kernel = await openKernel(bench, full.databaseUrl);
    const past = await fill(bench, kernel, channels);
    const written = await measureWriting(
      bench,
      new Writer(empty.owner, emptyChannels),
      new Writer(full.owner, channels),
    );
    const read = await measureReading(bench, full, channels);
    const bot = await makeBot(full.owner);
    bench.after(async () => bot.close());
    const setup = { bench, kernel, owner: full.owner, other: bot };
    const moves = await measureMoves(setup, past.moved, channels);
    const deletion = await measureDeletion(setup, past.deleted);
    return {
      'messages.stored': { value: past.messages, unit: 'messages' },
      ...written,
      ...read,
      ...moves,
      ...deletion,
    };
  },
};

/** The owner is subscribed to them. */
export async function createChannels(owner: ApiClient): Promise<ChannelId[]> {
  const { user_id } = await owner.get('/users/me');
  const channels: ChannelId[] = [];
  for (let n = 0; n < CHANNELS; n++) {
    const { id } = await owner.post('/channels/create', { name: `past ${n}`, subscribers: `[${String(user_id)}]` });
    channels.push(id as ChannelId);
  }
  return channels;
}

/** Sends many messages by many people, and waits for the worker. */
export async function fill(bench: Bench, kernel: Kernel, channels: readonly ChannelId[]): Promise<FilledPast> {
  const senders = await crowd(kernel, PEOPLE);
  const progress = (done: number) => bench.say('storing messages', `${done} of ${bench.stored}`);
  const past = await sendPast(kernel, { channels, senders, count: bench.stored, progress });
  bench.say('waiting for the worker');
  await followed(kernel);
  await kernel.database.pool.query('VACUUM (ANALYZE)');
  await kernel.database.pool.query('CHECKPOINT');
  return past;
}

/** The same acts in both organizations, in turns. */
async function measureWriting(bench: Bench, empty: Writer, full: Writer): Promise<Figures> {
  const figures: Figures[] = [];
  for (const act of ['send', 'edit', 'react'] as const) {
    bench.say(`${act}, in both organizations`);
    const acting = (writer: Writer) => (seconds: number) =>
      closedLoop({ callers: CALLERS, seconds }, () => writer[act]());
    // The first such request would pay for the warm-up.
    await acting(empty)(bench.seconds / 4);
    await acting(full)(bench.seconds / 4);
    const loads = await inTurns(bench.seconds, { empty: acting(empty), full: acting(full) });
    figures.push(loads.empty.figures(`messages.${act}.empty`, 'requests/s'));
    figures.push(loads.full.figures(`messages.${act}.full`, 'requests/s'));
  }
  return Object.assign({}, ...figures) as Figures;
}

/** The requests of a client at its start, for a user who has read none of the stored messages. */
async function measureReading(bench: Bench, { owner }: Annals, [channel]: readonly ChannelId[]): Promise<Figures> {
  const narrow = encodeURIComponent(JSON.stringify([{ operator: 'channel', operand: channel }]));
  const asked = {
    newest: ['GET', `/messages?anchor=newest&num_before=100&num_after=0&narrow=${narrow}`],
    topics: ['GET', `/users/me/${String(channel)}/topics`],
    unread: ['POST', `/register?event_types=["message"]&fetch_event_types=["message","update_message_flags"]`],
  } as const;
  const figures: Figures[] = [];
  for (const [name, [method, path]] of Object.entries(asked)) {
    bench.say(`reading: ${name}`);
    const load = await closedLoop({ callers: 1, seconds: Math.max(READING_SECONDS, bench.seconds / 2) }, () =>
      owner.receive(method, path),
    );
    figures.push(load.figures(`messages.${name}`, 'requests/s'));
  }
  return Object.assign({}, ...figures) as Figures;
}
