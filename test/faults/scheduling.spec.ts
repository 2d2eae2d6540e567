import { setTimeout as pause } from 'node:timers/promises';
import type { ChannelId } from '@annals/kernel/domain';
import type { Caller } from '../support/caller';
import { granted } from '../support/caller';
import { inChannel, read } from '../support/notices';
import type { Person } from '../support/organization';
import { PostgresDoor } from '../support/postgres-door';
import type { ProcessServer } from '../support/processes';
import { startProcesses } from '../support/processes';
import { remindersOf, scheduledId, scheduledOf } from '../support/scheduling';

const MINUTE = 60_000;
const LOOK_MS = 50;

let server: ProcessServer;
let ann: Person;
let channel: ChannelId;

async function start(): Promise<void> {
  server = await startProcesses();
  ann = await server.person({ name: 'Ann' });
  channel = await server.channel(server.owner, { subscribers: [server.owner, ann] });
}

/** UNIX seconds, at least so many from now. */
const inSeconds = (seconds: number) => Math.ceil(Date.now() / 1_000) + seconds;
const texts = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name} ${n}`);

/** Schedules these by both people in turn, some to topics that are new. */
async function schedule(contents: readonly string[], at: number): Promise<void> {
  for (const [n, content] of contents.entries()) {
    const by = n % 2 === 0 ? server.owner : ann;
    const topic = `${content.replace(/ \d+$/, '')} ${n % 3}`;
    const message = { type: 'channel', to: channel, topic, content, scheduled_delivery_timestamp: at };
    await scheduledId(by.post('/scheduled_messages', message));
  }
}

/** Resolves when nothing waits any more. */
async function delivered(): Promise<void> {
  for (const by of [server.owner, ann]) {
    while ((await scheduledOf(by)).length + (await remindersOf(by)).length > 0) await pause(LOOK_MS);
  }
}

/** What was sent to the channel of these names, in the order of its messages. */
const sent = async (name: string) =>
  (await inChannel(ann, channel)).map(({ content }) => content).filter((content) => content.startsWith(name));
const reminders = async (by: Person, note: string) =>
  (await read(by, [{ operator: 'is', operand: 'dm' }])).filter(({ content }) => content.includes(note));
const remind = async (by: Caller, note: string, at: number) =>
  granted(await by.post('/reminders', { note, scheduled_delivery_timestamp: at }));

describe('what is due', () => {
  beforeAll(start, MINUTE);
  afterAll(() => server.close(), MINUTE);

  it(
    'while no worker lives comes when one starts, once, in its order',
    async () => {
      await Promise.all(server.workers.map((worker) => server.kill(worker)));
      const at = inSeconds(2);
      const contents = texts('unattended', 12);
      await schedule(contents, at);
      await remind(ann, 'nobody was there', at);
      await pause(at * 1_000 - Date.now() + 500);
      expect(await sent('unattended')).toEqual([]);
      await server.startWorker();
      await delivered();
      expect(await sent('unattended')).toEqual(contents);
      expect(await reminders(ann, 'nobody was there')).toHaveLength(1);
    },
    MINUTE,
  );

  it(
    'comes once and in its order where several workers deliver it',
    async () => {
      await Promise.all([server.startWorker(), server.startWorker()]);
      const at = inSeconds(4);
      const contents = texts('crowded', 30);
      await schedule(contents, at);
      await remind(server.owner, 'all of us', at);
      await delivered();
      expect(await sent('crowded')).toEqual(contents);
      expect(await reminders(server.owner, 'all of us')).toHaveLength(1);
    },
    MINUTE,
  );

  it(
    'comes once and in its order however workers die while they deliver it',
    async () => {
      const at = inSeconds(4);
      const contents = texts('mortal', 30);
      await schedule(contents, at);
      await pause(at * 1_000 - Date.now());
      for (let round = 0; round < 3; round++) {
        while ((await sent('mortal')).length < 7 * (round + 1)) await pause(1);
        await Promise.all(server.workers.map((worker) => server.kill(worker)));
        await server.startWorker();
      }
      await delivered();
      expect(await sent('mortal')).toEqual(contents);
    },
    MINUTE,
  );

  it.each(['before', 'after'] as const)(
    'comes once although the worker died just %s its commit, before it heard of it',
    async (when) => {
      await Promise.all(server.workers.map((worker) => server.kill(worker)));
      const door = await PostgresDoor.open(server.env['DATABASE_URL'] ?? '');
      const worker = await server.startWorker({ DATABASE_URL: door.url });
      const at = inSeconds(2);
      const contents = texts(`struck ${when}`, 3);
      await schedule(contents, at);
      await remind(ann, `struck ${when}`, at);
      await door.atNextCommit(async (commit) => {
        if (when === 'after') await commit.reach();
        await server.kill(worker);
      });
      const waiting = (await scheduledOf(server.owner)).length + (await scheduledOf(ann)).length;
      expect(waiting < 3).toBe(when === 'after');
      await door.close();
      await server.startWorker();
      await delivered();
      expect(await sent(`struck ${when}`)).toEqual(contents);
      expect(await reminders(ann, `struck ${when}`)).toHaveLength(1);
    },
    MINUTE,
  );
});
