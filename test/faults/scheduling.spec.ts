import { setTimeout as pause } from 'node:timers/promises';
import type { ChannelId } from '@annals/kernel/domain';
import { setReminder } from '../../libs/scheduling/src/domain/reminder';
import { schedule } from '../../libs/scheduling/src/domain/scheduled-message';
import { inChannel, read } from '../support/requests/notices';
import type { Person } from '../support/server/organization';
import { PostgresProxy } from '../support/faults/postgres-proxy';
import type { AppProcess, ProcessServer } from '../support/processes/processes';
import { startProcesses } from '../support/processes/processes';
import { bySystem } from '../support/server/system';

const LOOK_MS = 20;

let server: ProcessServer;
let proxy: PostgresProxy;
let ann: Person;
let channel: ChannelId;
beforeAll(async () => {
  server = await startProcesses({ workers: 0 });
  proxy = await PostgresProxy.open(server.env['DATABASE_URL'] ?? '');
  ann = await server.person({ name: 'Ann' });
  channel = await server.channel(server.owner, { subscribers: [server.owner, ann] });
});
afterAll(async () => {
  await server.close();
  await proxy.close();
});

/** Workers write to the log through a proxy at which a commit can be held. */
const startWorker = () => server.startWorker({ DATABASE_URL: proxy.url });
const killAll = () => Promise.all(server.workers.map((worker) => server.kill(worker)));
const texts = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name} ${n}`);

/** Messages of both users in turn for a time that has come, some for new topics, and a reminder of Ann's. */
function fallDue(contents: readonly string[], note: string): Promise<void> {
  const dueAt = server.kernel.clock.now();
  return bySystem(server.kernel, (work) => {
    for (const [n, content] of contents.entries()) {
      const by = n % 2 === 0 ? server.owner : ann;
      const words = { content, topic: `${note} ${n % 3}` };
      const plan = { target: { channelId: channel }, dueAt, readBySender: true, words };
      work.open('scheduled', schedule(by.id, plan));
    }
    const [set] = setReminder(ann.id, null, dueAt, { content: note, note });
    work.open('reminder', set);
  });
}

async function waiting(): Promise<number> {
  const { rowCount } = await server.kernel.database.pool.query('SELECT FROM view.scheduled');
  return rowCount ?? 0;
}

/** Everything that was due, once nothing waits any more: messages in their order, and how often the reminder came. */
async function delivered(name: string): Promise<readonly [contents: readonly string[], reminders: number]> {
  while ((await waiting()) > 0) await pause(LOOK_MS);
  return [await sent(name), (await read(ann, [{ operator: 'is', operand: 'dm' }])).filter(isAbout(name)).length];
}

const isAbout =
  (name: string) =>
  ({ content }: { readonly content: string }) =>
    content.includes(name);
const sent = async (name: string) =>
  (await inChannel(ann, channel)).filter(isAbout(name)).map(({ content }) => content);

describe('what is due', () => {
  it('without a worker are sent when one starts, once, in their order', async () => {
    const contents = texts('unattended', 12);
    await fallDue(contents, 'unattended');
    expect(await waiting()).toBe(contents.length + 1);
    await startWorker();
    expect(await delivered('unattended')).toEqual([contents, 1]);
  });

  it('are sent once and in their order when several workers deliver them', async () => {
    await startWorker();
    const contents = texts('crowded', 30);
    await fallDue(contents, 'crowded');
    expect(await delivered('crowded')).toEqual([contents, 1]);
  });

  it('are sent once and in their order however workers die during delivery', async () => {
    const contents = texts('mortal', 90);
    await fallDue(contents, 'mortal');
    for (const left of [80, 40]) {
      while ((await waiting()) > left) await pause(1);
      await killAll();
      await startWorker();
    }
    expect(await delivered('mortal')).toEqual([contents, 1]);
  });

  it.each(['before', 'after'] as const)(
    'are sent once although the worker died just %s its commit, before the answer',
    async (when) => {
      const [worker] = server.workers as [AppProcess];
      const struck = proxy.atNextCommit(async (commit) => {
        if (when === 'after') await commit.reach();
        await server.kill(worker);
      });
      const contents = texts(`struck ${when}`, 3);
      await fallDue(contents, `struck ${when}`);
      await struck;
      expect((await waiting()) <= contents.length).toBe(when === 'after');
      await startWorker();
      expect(await delivered(`struck ${when}`)).toEqual([contents, 1]);
    },
  );
});
