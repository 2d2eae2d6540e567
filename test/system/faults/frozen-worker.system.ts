import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { ChannelId } from '@annals/kernel/domain';
import { schedule } from '../../../libs/scheduling/src/domain/scheduled-message';
import type { Phone } from '../../support/push/bouncer';
import { ReferenceBouncer } from '../../support/push/bouncer';
import { granted } from '../../support/server/caller';
import { PollingClient } from '../../support/events/polling-client';
import { inChannel } from '../../support/requests/notices';
import type { Person } from '../../support/server/organization';
import { PostgresProxy } from '../../support/faults/postgres-proxy';
import type { AppProcess, ProcessServer } from '../../support/processes/processes';
import { startProcesses } from '../../support/processes/processes';
import { pushOutboxEmpty, registeredPhone } from '../../support/push/push';
import { bySystem } from '../../support/server/system';

const BACKENDS = process.env['ANNALS_TEST_REDIS_URL'] ? (['Redis', 'PostgreSQL'] as const) : (['PostgreSQL'] as const);
const LOOK_MS = 20;
const GATE = 4_712;
/** Others take over within two seconds; a slow machine gets three times as long. */
const TAKEN_OVER_MS = 6_000;

describe.each(BACKENDS)('a frozen worker, with queues on %s,', (backend) => {
  let bouncer: ReferenceBouncer;
  let proxy: PostgresProxy;
  let server: ProcessServer;
  let ann: Person;
  let phone: Phone;
  let channel: ChannelId;
  let follower: PollingClient;
  let frozen: AppProcess;
  const sent: number[] = [];

  beforeAll(async () => {
    bouncer = await ReferenceBouncer.start();
    const env = bouncer.env;
    server = await startProcesses({ workers: 0, env, ...(backend === 'Redis' ? {} : { redisUrl: '' }) });
    proxy = await PostgresProxy.open(server.env['DATABASE_URL'] ?? '');
    ann = await server.person({ name: 'Ann' });
    channel = await server.channel(server.owner, { subscribers: [server.owner, ann] });
    frozen = await server.startWorker({ DATABASE_URL: proxy.url });
    ({ phone } = await registeredPhone(server, bouncer, ann));
    follower = new PollingClient(ann, await ann.register({ event_types: ['message'], fetch_event_types: [] }));
  });
  afterAll(async () => {
    await follower.stop();
    frozen.resume();
    await server.close();
    await proxy.close();
    await bouncer.stop();
  });

  const sql = async (text: string) => (await server.kernel.database.pool.query(text)).rowCount ?? 0;
  const send = async (content: string) => {
    const message = { type: 'channel', to: channel, topic: 'frozen', content: `@**Ann** ${content}` };
    sent.push(granted(await server.owner.post<{ id: number }>('/messages', message)).id);
  };
  const received = async () => {
    const events = await follower.received(sent.length);
    return events.map(({ message }) => (message as { id: number }).id);
  };
  /** Ids of the messages that the phone was notified of; several workers send at once, in any order. */
  const pushed = () =>
    bouncer.notified.calls
      .flatMap(([{ phone: token, text }]) => (token === phone.token ? [text['message_id'] as number] : []))
      .sort((a, b) => a - b);

  /** Workers stop in the middle of a page: their work is done, their checkpoints are moved, nothing is committed. */
  async function holdPages(): Promise<{ reached: () => Promise<void>; release: () => Promise<void> }> {
    await sql(`CREATE FUNCTION spec_gate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_advisory_xact_lock_shared(${GATE}); RETURN NEW; END $$;
      CREATE TRIGGER spec_gate AFTER INSERT ON push_errands FOR EACH ROW EXECUTE FUNCTION spec_gate()`);
    const gate = new Client({ connectionString: server.env['DATABASE_URL'] });
    await gate.connect();
    await gate.query('SELECT pg_advisory_lock($1)', [GATE]);
    const waiting = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = ${GATE} AND NOT granted`;
    return {
      reached: async () => {
        while ((await sql(waiting)) === 0) await pause(LOOK_MS);
      },
      release: () => gate.end(),
    };
  }

  it('in the middle of a page delays nothing after the takeover: everything arrives once, also after it continues', async () => {
    const gate = await holdPages();
    await send('noted by two');
    await gate.reached();
    const other = await server.startWorker();
    frozen.freeze();
    const since = performance.now();
    await gate.release();
    await pushOutboxEmpty(server.kernel);
    expect(performance.now() - since).toBeLessThan(TAKEN_OVER_MS);
    await send('while it is frozen');
    await pushOutboxEmpty(server.kernel);
    frozen.resume();
    for (let n = 0; n < 3; n++) await send(`when it continues ${n}`);
    await pushOutboxEmpty(server.kernel);
    expect(await received()).toEqual(sent);
    expect(pushed()).toEqual(sent);
    await server.kill(other);
    await send('when it is alone again');
    await pushOutboxEmpty(server.kernel);
    expect(pushed()).toEqual(sent);
  });

  it.each<[when: string, at: (fault: Parameters<PostgresProxy['atNextWrite']>[0]) => Promise<void>]>([
    ['between its look at the log and what it writes', (fault) => proxy.atNextWrite(fault)],
    [
      'after its COMMIT took effect, of which it has not heard',
      (fault) =>
        proxy.atNextCommit(async (commit) => {
          await commit.reach();
          await fault(commit);
        }),
    ],
  ])('%s lets all others write, and due messages are sent once', async (when, at) => {
    const contents = Array.from({ length: 3 }, (_, n) => `due ${n}: ${when}`);
    const struck = at(async () => {
      frozen.freeze();
      const other = await server.startWorker();
      await send('while it is frozen');
      while ((await sql('SELECT FROM view.scheduled')) > 0) await pause(LOOK_MS);
      frozen.resume();
      await server.kill(other);
    });
    const dueAt = server.kernel.clock.now();
    await bySystem(server.kernel, (work) => {
      for (const content of contents) {
        const plan = { target: { channelId: channel }, dueAt, readBySender: true, words: { content, topic: 'due' } };
        work.open('scheduled', schedule(server.owner.id, plan));
      }
    });
    await struck;
    await send('afterwards');
    await server.settled();
    const due = (await inChannel(ann, channel, 'due')).map(({ content }) => content);
    expect(due.filter((content) => content.includes(when))).toEqual(contents);
  });

  it('has ended by none of it', async () => {
    expect(await Promise.race([frozen.ended, Promise.resolve('it runs')])).toBe('it runs');
  });
});
