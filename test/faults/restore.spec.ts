import { setTimeout as pause } from 'node:timers/promises';
import type { ChannelId } from '@annals/kernel/domain';
import { freePort } from '@annals/embedded';
import { Kernel } from '@annals/kernel';
import { pino } from 'pino';
import { contexts } from '../../apps/shared/src/contexts';
import type { Backup } from '../support/faults/backup';
import { backUp } from '../support/faults/backup';
import { ReferenceBouncer } from '../support/push/bouncer';
import type { Caller, Registered, WireEvent } from '../support/server/caller';
import { granted } from '../support/server/caller';
import { runCli } from '../support/processes/cli';
import { brokenLaws } from '../support/laws/laws';
import type { Person } from '../support/server/organization';
import type { AppProcess, ProcessServer } from '../support/processes/processes';
import { startProcesses } from '../support/processes/processes';
import { pushOutboxEmpty, registeredPhone } from '../support/push/push';
import { settled } from '../support/server/settled';

let bouncer: ReferenceBouncer;
let server: ProcessServer;
let ann: Person;
let channel: ChannelId;
let workerPort: number;

const annals = (...args: readonly string[]) => runCli(server.env, ...args);

async function send(texts: readonly string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const content of texts) {
    const message = { type: 'channel', to: channel, topic: 'restored', content };
    ids.push(granted(await server.owner.post<{ id: number }>('/messages', message)).id);
  }
  return ids;
}

/** Resolves when requests are answered again, after PostgreSQL has cut the connections of a process. */
async function answers(who: Caller): Promise<void> {
  while ((await who.get('/users/me')).status !== 200) await pause(20);
}

const nameOf = async (who: Person) => {
  const { user } = granted(await server.owner.get<{ user: { full_name: string } }>(`/users/${who.id}`));
  return user.full_name;
};
const idsOf = (events: readonly WireEvent[]) => events.map(({ message }) => (message as { id: number }).id);
const pollOf = (queue: Registered, last: number) =>
  ann.get('/events', { queue_id: queue.queue_id, last_event_id: last, dont_block: true });

/** A new kernel. That of the server may still cache events that the restore has removed. */
async function withKernel<T>(run: (kernel: Kernel) => Promise<T>): Promise<T> {
  const log = pino({ level: 'fatal' });
  const { DATABASE_URL: databaseUrl = '', REDIS_URL: redisUrl } = server.env;
  const kernel = await Kernel.open({ databaseUrl, redisUrl, contexts, log, poolSize: 4 });
  try {
    return await run(kernel);
  } finally {
    await kernel.close();
  }
}

/** Asks a process until it has ended. @returns the statuses of its answers */
async function outliving(process: AppProcess): Promise<number[]> {
  const statuses: number[] = [];
  let hasEnded = false;
  void process.ended.then(() => (hasEnded = true));
  while (!hasEnded) {
    const answer = await server.owner.get('/users/me').catch(() => null);
    if (answer) statuses.push(answer.status);
    else await pause(20);
  }
  return statuses;
}

interface LogReport {
  readonly status: number;
  readonly check: string | undefined;
  readonly metric: string | undefined;
}

/**
 * The health and the metrics of a process, read together until they report that the log was restored to an earlier
 * position.
 */
async function untilItSays(url: string): Promise<LogReport> {
  for (;;) {
    const [ready, metrics] = await Promise.all(['/health/ready', '/metrics'].map((path) => fetch(`${url}${path}`)));
    const { checks } = (await ready?.json()) as { checks: Record<string, string> };
    const metric = /^annals_log_taken_back (\d)$/m.exec((await metrics?.text()) ?? '')?.[1];
    const received = { status: ready?.status ?? 0, check: checks['log'], metric };
    if (received.check?.startsWith('taken back') && received.metric === '1') return received;
  }
}

/** Starts api and worker in the place of those that ended themselves. */
async function startAgain(): Promise<void> {
  for (const one of [...server.apis, ...server.workers]) await server.kill(one);
  await Promise.all([server.startWorker(), server.startApi()]);
}

beforeAll(async () => {
  bouncer = await ReferenceBouncer.start();
  workerPort = await freePort();
  server = await startProcesses({ env: bouncer.env, workers: 0 });
  await server.startWorker({ ANNALS_WORKER_PORT: String(workerPort) });
  ann = await server.person({ name: 'Ann' });
  await registeredPhone(server, bouncer, ann);
  channel = await server.channel(server.owner, { subscribers: [server.owner, ann] });
});
afterAll(async () => {
  await server.end();
  await bouncer.stop();
});

describe('a restore from a backup while api and worker run', () => {
  let backup: Backup;
  let queue: Registered;
  let last: number;
  let kept: number;
  let ended: readonly (number | null)[];
  let statuses: readonly number[];
  let output: string;
  let received: readonly LogReport[];

  beforeAll(async () => {
    queue = await ann.register({ event_types: ['message'], fetch_event_types: [] });
    kept = (await send(['kept 1', 'kept 2'])).at(-1) ?? 0;
    await settled(server.kernel);
    backup = await backUp(server.env['DATABASE_URL'] ?? '');
    await answers(server.owner);
    const sent = await send(['lost 1', 'lost 2', 'lost 3']);
    granted(await server.owner.patch(`/users/${ann.id}`, { full_name: 'Ann Lost' }));
    expect(await nameOf(ann)).toBe('Ann Lost');
    const events = await ann.events(queue);
    expect(idsOf(events).slice(-3)).toEqual(sent);
    last = events.at(-1)?.id ?? 0;

    const [api, worker] = [...server.apis, ...server.workers] as [AppProcess, AppProcess];
    await backup.restore();
    received = await Promise.all([api.url, `http://127.0.0.1:${workerPort}`].map(untilItSays));
    const { out, code } = await annals('restored', '--yes');
    expect(code).toBe(0);
    output = out;
    statuses = await outliving(api);
    ended = await Promise.all([api.ended, worker.ended]);
    await startAgain();
  });
  afterAll(() => backup.drop());

  it('is not completed by the command without a confirmation of the operator', async () => {
    const { out, code } = await annals('restored');
    expect(code).toBe(1);
    expect(out).toContain('drop all client queues');
    expect(out).toMatch(/Nothing was done. Use --yes to continue without a question.\n$/);
    expect(await pollOf(await ann.register({ fetch_event_types: [] }), 0)).toMatchObject({ status: 200 });
  });

  it('is mentioned by the command in all its steps', () => {
    expect(output).toContain('1 client queues dropped: their clients register again\n');
    expect(output).toContain('client-events: jobs deleted\n');
    expect(output).toContain(`realm 1: restored up to position ${kept}, continues from there\n`);
    expect(output).toMatch(/Done. Start api and worker. Those that ran before are ending.\n$/);
  });

  it('ends the processes that ran through it, and none of them answers from the former history', () => {
    expect(ended).toEqual([1, 1]);
    expect(statuses.filter((status) => status < 500)).toEqual([]);
  });

  it('is reported by each of them: in its readiness, in its metrics, and in its log as fatal', () => {
    const check = expect.stringMatching(/^taken back: the log of realm 1 /) as string;
    expect(received).toEqual([
      { status: 503, check, metric: '1' },
      { status: 503, check, metric: '1' },
    ]);
    const fatal = server.output.split('\n').filter((line) => line.includes('"level":60'));
    expect(fatal).toHaveLength(2);
    for (const line of fatal) expect(line).toContain('the log was taken back: this process has to start again');
  });

  it('gives BAD_EVENT_QUEUE_ID to every old cursor', async () => {
    for (const id of [last, queue.last_event_id, -1]) {
      expect(await pollOf(queue, id)).toMatchObject({ status: 400, body: { code: 'BAD_EVENT_QUEUE_ID' } });
    }
  });

  it('makes positions continue without a gap, and lost events are lost for every reader', async () => {
    const content = (id: number) => server.owner.get<{ message: { content: string } }>(`/messages/${id}`);
    expect(granted(await content(kept)).message.content).toContain('kept 2');
    expect((await content(kept + 1)).status).toBe(400);
    expect(await nameOf(ann)).toBe('Ann');
    const fresh = await ann.register({ event_types: ['message'], fetch_event_types: [] });
    const [id = 0] = await send(['again']);
    expect(idsOf(await ann.events(fresh))).toEqual([id]);
    granted(await server.owner.patch(`/users/${ann.id}`, { full_name: 'Ann Again' }));
    expect(await nameOf(ann)).toBe('Ann Again');
    const types = await withKernel((kernel) => kernel.events.page(1 as never, kept, 100));
    // The restored log is another log, so its key has another name. A worker says so at any time.
    expect(types.map(({ type }) => type).filter((type) => type !== 'audit.SigningKeyChanged')).toEqual([
      'kernel.Restored',
      'messages.MessageSent',
      'users.FullNameChanged',
    ]);
    expect(types.map(({ position }) => position - kept)).toEqual(types.map((_, n) => n + 1));
  });

  it('leaves a log that is whole and read models that agree with it', async () => {
    expect(await annals('verify')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/events, intact(; \d+ checkpoints? agrees?)?\n$/) as string,
    });
    await withKernel(async (kernel) => {
      await settled(kernel);
      expect(await brokenLaws(kernel)).toEqual([]);
    });
    expect(await annals('status')).toMatchObject({ code: 0 });
  });
});

describe('consumers beyond the end of the log', () => {
  const BEYOND = 1_000_000;
  const ready = async () => (await (await fetch(`${server.apis[0]?.url}/health/ready`)).json()) as object;
  const metrics = async () => (await fetch(`${server.apis[0]?.url}/metrics`)).text();

  beforeAll(async () => {
    await withKernel(async (kernel) => {
      await settled(kernel);
      for (const worker of server.workers) await server.kill(worker);
      await kernel.database.pool.query('UPDATE projection_checkpoints SET position = $1', [BEYOND]);
    });
    await server.startWorker();
    while ((await withKernel((kernel) => kernel.store.parked())).length < 2) await pause(50);
  });

  it('stop, and report it in health, metrics and status', async () => {
    const { code, out } = await annals('status');
    expect(code).toBe(1);
    const measured = await metrics();
    for (const name of ['stored_client_events', 'subjects']) {
      expect(out).toMatch(new RegExp(`${name}, realm 1: at ${BEYOND}, \\d+ BEYOND THE END OF THE LOG.*, PARKED\n`));
      expect(measured).toContain(`annals_follower_parked_realms{follower="${name}"} 1\n`);
      expect(measured).toMatch(new RegExp(`annals_follower_ahead_positions{follower="${name}"} [1-9]\\d*\n`));
      expect(measured).toContain(`annals_follower_behind_events{follower="${name}"} 0\n`);
    }
    expect(await ready()).toMatchObject({
      status: 'ok',
      notices: { followers: 'account-mails is beyond the end of the log of realm 1: was it restored?' },
    });
  });

  it('are set back or rebuilt by the command', async () => {
    const { pool } = server.kernel.database;
    await pool.query(
      `INSERT INTO push_errands (realm_id, position, kind, at, after_user, attempts, due_at, given_up)
          VALUES (1, $1, 'message', 0, 0, 0, $2, NULL), (1, $1 + 1, 'removal', 0, 0, 0, 0, 'BAD_REQUEST')`,
      [BEYOND, Number.MAX_SAFE_INTEGER],
    );
    await pool.query('INSERT INTO pushed_messages VALUES (1, $1, $2, $3, $4)', [BEYOND, ann.id, [ann.id], Date.now()]);
    const { code, out } = await annals('restored', '--yes');
    expect(code).toBe(0);
    expect(out).toContain('2 tasks to the push service dropped\n');
    expect((await pool.query('SELECT FROM push_errands')).rowCount).toBe(0);
    expect((await pool.query('SELECT FROM pushed_messages WHERE message_id >= $1', [BEYOND])).rowCount).toBe(0);
    expect(out).toContain('stored_client_events: was beyond the end of a log, moved back to it\n');
    expect(out).toContain('subjects: was beyond the end of a log, rebuilt\n');
    await startAgain();
    const queue = await ann.register({ event_types: ['message'], fetch_event_types: [] });
    const sent = await send(['@**all** after all']);
    expect(idsOf(await ann.events(queue))).toEqual(sent);
    await withKernel((kernel) => pushOutboxEmpty(kernel));
    expect(bouncer.notified.calls.map(([{ text }]) => text['message_id'])).toEqual(sent);
    await withKernel(async (kernel) => {
      await settled(kernel);
      expect(await brokenLaws(kernel)).toEqual([]);
    });
    expect(await annals('status')).toMatchObject({ code: 0 });
    expect(await ready()).toMatchObject({ notices: { followers: 'ok' } });
  });
});
