import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '@annals/embedded';
import type { RunningPostgres } from '@annals/embedded';
import { Client } from 'pg';
import type { ChannelId } from '@annals/kernel/domain';
import type { Answer } from '../support/server/caller';
import { granted } from '../support/server/caller';
import { runCli } from '../support/processes/cli';
import type { Person } from '../support/server/organization';
import type { ProcessServer } from '../support/processes/processes';
import { startProcesses } from '../support/processes/processes';
import { SmallDisk } from '../support/faults/small-disk';
import { prepareTemplate } from '../support/server/template';
import { sendParts } from '../support/requests/uploads';

/** Enough for PostgreSQL with the templates of specs, and for a copy of its programs where its user needs one. */
const DISK_MB = 400;
const LOOK_MS = 20;
const AT_ONCE = 8;
const TEXT = 'a text that takes room '.repeat(300);

const [describeHere, where] = SmallDisk.isAllowed
  ? [describe, '']
  : [describe.skip, ' (left out: no file system may be mounted here)'];

describeHere(`a disk that is full${where}`, () => {
  let disk: SmallDisk;
  let postgres: RunningPostgres;
  let server: ProcessServer;
  let ann: Person;
  let channel: ChannelId;
  const acknowledged: number[] = [];

  beforeAll(async () => {
    disk = SmallDisk.mount(DISK_MB);
    postgres = await startPostgres({ dataDir: disk.path, log: () => undefined });
    await prepareTemplate(postgres.url);
    server = await startProcesses({ adminUrl: postgres.url, env: { ANNALS_DATA_DIR: disk.path } });
    ann = await server.person({ name: 'Ann' });
    channel = await server.channel(server.owner, { subscribers: [server.owner, ann] });
  });
  afterAll(async () => {
    disk.free();
    await server.close();
    await postgres.stop();
    disk.unmount();
  });

  const send = async (): Promise<Answer<{ id: number }>> => {
    const message = { type: 'channel', to: channel, topic: 'room', content: TEXT };
    const answer = await server.owner.post<{ id: number }>('/messages', message);
    if (answer.status === 200) acknowledged.push(answer.body.id);
    return answer;
  };
  /** Sends until an answer is another one than those before. */
  const sendUntil = async (status: number): Promise<Answer> => {
    for (;;) {
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, send));
      for (const answer of answers) {
        expect([200, 503]).toContain(answer.status);
        if (answer.status === status) return answer;
      }
      await pause(LOOK_MS);
    }
  };
  const ready = async () => {
    const response = await fetch(`${server.urls[0]}/health/ready`);
    const { checks } = (await response.json()) as { checks: Record<string, string> };
    return { status: response.status, checks };
  };
  const untilReady = async () => {
    while ((await ready()).status !== 200) await pause(LOOK_MS);
  };
  const upload = async (url: string) => {
    const form = new FormData();
    form.append('filename', new Blob([TEXT]), 'notes.txt');
    const { email, key } = server.owner;
    return sendParts({ email, key, url }, form);
  };
  const annals = (...args: readonly string[]) => runCli(server.env, ...args);
  /** PostgreSQL may have recovered by itself, depending on how soon there was space. */
  const startAgainUntilReady = async () => {
    let hasEnded = false;
    void postgres.ended.then(() => (hasEnded = true));
    for (; (await ready()).status !== 200; await pause(LOOK_MS)) {
      if (!hasEnded) continue;
      hasEnded = false;
      const port = Number(new URL(postgres.url).port);
      postgres = await startPostgres({ dataDir: disk.path, log: () => undefined, port });
    }
  };
  /** Everything acknowledged exists, once, and nothing is broken. */
  const expectWhole = async () => {
    const narrow = { anchor: 'newest', num_before: 5_000, num_after: 0, narrow: [['channel', channel]] };
    const { messages } = granted(await ann.get<{ messages: { id: number }[] }>('/messages', narrow));
    const ids = messages.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(acknowledged));
    expect(new Set(ids).size).toBe(ids.length);
    expect(await annals('verify')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/events, intact(; \d+ checkpoints? agrees?)?\n$/) as string,
    });
  };

  it('answers 503 with the time to wait, is not ready, permits reads, and accepts writes once there is space', async () => {
    granted(await send());
    const queue = await ann.register({ event_types: ['message'], fetch_event_types: [] });
    disk.fill();
    const refused = await sendUntil(503);
    expect(refused.body).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await ready()).toMatchObject({
      status: 503,
      checks: {
        database: 'ok',
        writes: expect.stringMatching(/^the database refuses writes: .*No space left/) as string,
      },
    });
    expect((await ann.get('/users/me')).status).toBe(200);
    expect((await ann.get(`/messages/${acknowledged[0]}`)).status).toBe(200);
    expect((await ann.get('/events', { ...queue, dont_block: true })).status).toBe(200);

    disk.free();
    await untilReady();
    granted(await send());
    const events = await ann.events(queue);
    expect(events.map(({ message }) => (message as { id: number }).id)).toEqual(
      expect.arrayContaining(acknowledged.slice(1)),
    );
    await expectWhole();
  });

  it('may end PostgreSQL, which cannot write its own log: nothing is lost once it has room and runs again', async () => {
    disk.fill();
    await untilItCannotWriteItsLog(postgres.url);
    expect((await sendUntil(503)).headers.get('retry-after')).toBe('1');
    expect((await ready()).status).toBe(503);
    disk.free();
    await startAgainUntilReady();
    await sendUntil(200);
    await expectWhole();
  });

  it('answers an upload with 503 and the time to wait where only the folder of files has no room', async () => {
    const files = SmallDisk.mount(1);
    try {
      const api = await server.startApi({ ANNALS_DATA_DIR: files.path });
      granted(await upload(api.url));
      files.fill();
      const refused = await upload(api.url);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
      files.free();
      granted(await upload(api.url));
      await server.kill(api);
    } finally {
      files.unmount();
    }
  });
});

/** Lets it begin one piece of its log after the other until there is no room for the next one. */
async function untilItCannotWriteItsLog(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  const write = async () => {
    for (;;) {
      await client.query(`SELECT pg_logical_emit_message(true, 'spec', 'some text'), pg_switch_wal()`);
    }
  };
  await write().catch(() => undefined);
  await ended;
}
