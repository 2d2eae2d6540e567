import { setTimeout as delay } from 'node:timers/promises';
import type { Kernel } from '@annals/kernel';
import type { ChannelId, Instant, RealmId, UserId } from '@annals/kernel/domain';
import { ScheduledMessageSent } from '../../../libs/scheduling/src/domain/events';
import { schedule } from '../../../libs/scheduling/src/domain/scheduled-message';
import { crowd } from '../../../libs/users/src/spec-support/crowd';
import type { Bench, Figures, Measurement } from '../../harness';
import { startAnnals } from '../../http/annals';
import { followed, openKernel } from '../../http/beside';

const REALM = 1 as RealmId;
const DUE = 10_000;
const FEW = 10;
const TOPICS = 200;
/** Messages that are scheduled by one append. */
const TOGETHER = 500;
/** Until everything is scheduled and followed, in ms. */
const AHEAD_MS = 30_000;
const LOOK_MS = 50;

const origin = { client: 'ZulipMobile', correlation: '00000000-0000-4000-8000-000000000004', address: null };
const SYSTEM = { realmId: REALM, userId: null, origin };

/** Scheduled messages that are all due in the same second. */
export const scheduling: Measurement = {
  name: 'scheduling',
  title: `${DUE.toLocaleString('en-US')} scheduled messages that are due in the same second`,
  async run(bench) {
    const { owner, databaseUrl } = await startAnnals(bench);
    const kernel = await openKernel(bench, databaseUrl);
    const { id } = await owner.post('/channels/create', { name: 'later', subscribers: '[]' });
    bench.say('opening accounts');
    const people = await crowd(kernel, DUE);
    const channel = id as ChannelId;
    return {
      ...(await measure(bench, kernel, { name: 'scheduling.many', channel, authors: people })),
      ...(await measure(bench, kernel, { name: 'scheduling.few', channel, authors: people.slice(0, FEW) })),
    };
  },
};

interface Setup {
  readonly name: string;
  readonly channel: ChannelId;
  readonly authors: readonly UserId[];
}

async function measure(bench: Bench, kernel: Kernel, setup: Setup): Promise<Figures> {
  bench.say(`scheduling, ${setup.authors.length} authors`);
  const dueAt = (Date.now() + AHEAD_MS) as Instant;
  await scheduleAll(kernel, setup, dueAt);
  await followed(kernel);
  if (Date.now() >= dueAt) throw new Error('it took too long to schedule them');
  const from = (await kernel.events.heads()).get(REALM) ?? 0;
  bench.say(`delivering, ${setup.authors.length} authors`);
  await delay(dueAt - Date.now());
  while ((await waiting(kernel)) > 0) await delay(LOOK_MS);
  const took = Date.now() - dueAt;
  await ensureOnceInOrder(kernel, from);
  return { [`${setup.name}.took`]: { value: took, unit: 'ms' } };
}

async function scheduleAll(kernel: Kernel, { channel, authors }: Setup, dueAt: Instant): Promise<void> {
  for (let from = 0; from < DUE; from += TOGETHER) {
    await kernel.work.run(SYSTEM, async (work) => {
      for (let n = from; n < from + TOGETHER; n++) {
        const words = { content: `message ${n}`, topic: `topic ${n % TOPICS}` };
        const plan = { target: { channelId: channel }, dueAt, readBySender: true, words };
        work.open('scheduled', schedule(authors[n % authors.length] ?? (0 as UserId), plan));
      }
    });
  }
}

async function waiting({ database }: Kernel): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>('SELECT count(*)::int4 AS count FROM view.scheduled');
  return rows[0]?.count ?? 0;
}

/** @throws Error when one was sent twice, was not sent, or overtook another */
async function ensureOnceInOrder(kernel: Kernel, from: number): Promise<void> {
  const events = await kernel.events.page(REALM, from, DUE * 10);
  const ids = events
    .filter(({ type }) => type === ScheduledMessageSent.type)
    .map(({ data }) => (data as { scheduledId: number }).scheduledId);
  if (ids.length !== DUE) throw new Error(`${ids.length} of ${DUE} were sent`);
  const overtaking = ids.findIndex((id, n) => n > 0 && id <= (ids[n - 1] ?? 0));
  if (overtaking !== -1) throw new Error(`the ${overtaking}th that was sent overtook another`);
}
