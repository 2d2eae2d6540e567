import { setTimeout as pause } from 'node:timers/promises';
import type { ChannelId } from '@annals/kernel/domain';
import type { Registered, WireEvent } from '../support/server/caller';
import { granted } from '../support/server/caller';
import { CrashingPostgres } from '../support/faults/crashing-postgres';
import { PollingClient } from '../support/events/polling-client';
import type { Person } from '../support/server/organization';
import type { ProcessServer } from '../support/processes/processes';
import { startProcesses } from '../support/processes/processes';
import { onceItAnswers } from './crash';

const BACKENDS = process.env['ANNALS_TEST_REDIS_URL'] ? (['Redis', 'PostgreSQL'] as const) : (['PostgreSQL'] as const);
/** Crashes in a row, and the pause between them in ms. The soak has more of them. */
const CRASHES = 6;
const PAUSE_MS = 1_000;

describe.each(BACKENDS)('followers of the log, with queues on %s, while PostgreSQL', (backend) => {
  let postgres: CrashingPostgres;
  let server: ProcessServer;
  let ann: Person;
  let channel: ChannelId;
  let queue: Registered;
  let follower: PollingClient;
  beforeAll(async () => {
    postgres = await CrashingPostgres.start();
    server = await startProcesses({ adminUrl: postgres.url, ...(backend === 'Redis' ? {} : { redisUrl: '' }) });
    ann = await server.person({ name: 'Ann' });
    channel = await server.channel(server.owner, { subscribers: [server.owner, ann] });
    queue = await ann.register({ event_types: ['message'], fetch_event_types: [] });
    follower = new PollingClient(ann, queue);
  });
  afterAll(async () => {
    await follower.stop();
    await server.close();
    await postgres.end();
  });

  const send = async (content: string) => {
    const message = { type: 'channel', to: channel, topic: 'crashes', content };
    return granted(await server.owner.post<{ id: number }>('/messages', message)).id;
  };
  const idsOf = (events: readonly WireEvent[]) => events.map(({ message }) => (message as { id: number }).id);
  /** Ids of all messages in the log. */
  const stored = () =>
    onceItAnswers(async () => {
      const { rows } = await server.kernel.database.pool.query<{ position: number }>(
        `SELECT position FROM events WHERE type = 'messages.MessageSent' AND position > $1 ORDER BY position`,
        [Math.floor(queue.last_event_id / 65_536)],
      );
      return rows.map(({ position }) => position);
    });
  /** All follow to the end of the log, and the queue got each message once and in order. */
  const expectWhole = async () => {
    await onceItAnswers(() => server.settled());
    const sent = await stored();
    expect(idsOf(await follower.received(sent.length))).toEqual(sent);
    return sent;
  };

  it.each<[what: string, fault: () => Promise<void>]>([
    ['is stopped at once and started again', () => postgres.stopAtOnce()],
    ['loses its WAL writer', () => postgres.killWalWriter()],
  ])(
    '%s right after they applied an event: they apply it again, although nothing else happens',
    async (_what, fault) => {
      const before = await stored();
      const id = await send('the last before the crash');
      await follower.received(before.length + 1);
      await fault();
      expect(await expectWhole()).toContain(id);
    },
  );

  it('crashes again and again under load: they continue, and nothing is lost, doubled or out of order', async () => {
    const acknowledged: number[] = [];
    let isOver = false;
    const sending = (async () => {
      for (let n = 1; !isOver; n++) acknowledged.push(await onceItAnswers(() => send(`under load ${n}`)));
    })();
    for (let n = 0; n < CRASHES; n++) {
      await pause(PAUSE_MS);
      await onceItAnswers(() => (n % 2 === 0 ? postgres.killWalWriter() : postgres.stopAtOnce()));
    }
    isOver = true;
    await sending;
    expect(await expectWhole()).toEqual(expect.arrayContaining(acknowledged));
  });
});
