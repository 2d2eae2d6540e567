import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgres } from '@annals/embedded';
import type { RunningPostgres } from '@annals/embedded';
import type { Kernel } from '@annals/kernel';
import type { Recorded } from '@annals/kernel/domain';
import type { Noted } from '../../libs/kernel/src/spec-support/toy-context';
import type { ToyKernel } from '../../libs/kernel/src/spec-support/toy-kernel';
import { note } from '../../libs/kernel/src/spec-support/toy-context';
import { openToyKernel, realm, system } from '../../libs/kernel/src/spec-support/toy-kernel';

const STEPS = ['begin', 'locked', 'write', 'commit', 'committed'] as const;

interface Acknowledged {
  readonly text: string;
  readonly position: number;
}

/** What every fault must leave behind: all that was acknowledged, once, without a gap, and a read model that agrees. */
async function expectWhole(kernel: Kernel, acknowledged: readonly Acknowledged[]): Promise<void> {
  const events = (await kernel.events.page(realm, 0, 1_000_000)) as unknown as Recorded<Noted>[];
  expect(events.map((event) => event.position)).toEqual(events.map((_, index) => index + 1));
  const texts = new Map(
    events.map((event) => [event.position as number, event.sealed === 'erased' ? '' : event.sealed.text]),
  );
  expect(new Set(texts.values()).size).toBe(texts.size);
  for (const { text, position } of acknowledged) expect(texts.get(position)).toBe(text);
  const { rows } = await kernel.database.pool.query<{ note_id: number; text: string }>(
    'SELECT note_id, text FROM view.toy_notes WHERE realm_id = 1',
  );
  expect(new Map(rows.map((row) => [row.note_id, row.text]))).toEqual(texts);
  expect((await kernel.events.heads([realm])).get(realm)).toBe(events.length);
}

function startAppender(url: string, writer: string, step = '-', passes = 0) {
  const acknowledged: Acknowledged[] = [];
  const child = fork(join(__dirname, 'programs', 'appender.ts'), [url, writer, step, String(passes)], {
    execArgv: ['-r', require.resolve('../support/typescript.cjs')],
  });
  child.on('message', (message) => acknowledged.push(message as Acknowledged));
  const ended = once(child, 'exit');
  const acknowledgedAtLeast = async (count: number) => {
    while (acknowledged.length < count) await Promise.race([once(child, 'message'), ended]);
  };
  return { child, acknowledged, ended, acknowledgedAtLeast };
}

describe('a process killed while it appends', () => {
  let toy: ToyKernel;
  beforeEach(async () => (toy = await openToyKernel()));
  afterEach(() => toy.close());

  it.each(STEPS)('before the step "%s" loses nothing it acknowledged, and writes nothing twice', async (step) => {
    const appender = startAppender(toy.url, 'a', step, 5);
    await appender.ended;
    expect(appender.acknowledged.length).toBeGreaterThan(0);
    // Others go on at once: the dead process holds no lock.
    await toy.kernel.work.run(system(), async (work) => work.open('note', note('after')));
    await expectWhole(toy.kernel, appender.acknowledged);
  });
});

describe('several processes that write one realm', () => {
  it('leave positions gapless and visible in order to a reader who follows meanwhile', async () => {
    const toy = await openToyKernel();
    const writers = ['a', 'b', 'c'].map((name) => startAppender(toy.url, name));
    const seen: number[] = [];
    const enough = Promise.all(writers.map((writer) => writer.acknowledgedAtLeast(150)));
    let done = false;
    const reading = (async () => {
      while (!done) {
        for (const event of await toy.kernel.events.page(realm, seen.length, 500)) seen.push(event.position);
      }
    })();
    await enough;
    for (const writer of writers) writer.child.kill('SIGKILL');
    await Promise.all(writers.map((writer) => writer.ended));
    done = true;
    await reading;
    expect(seen).toEqual(seen.map((_, index) => index + 1));
    await expectWhole(
      toy.kernel,
      writers.flatMap((writer) => writer.acknowledged),
    );
    await toy.close();
  });
});

describe('PostgreSQL that crashes while a process appends', () => {
  let postgres: RunningPostgres;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'annals-crash-'));
    chmodSync(folder, 0o755);
    postgres = await startPostgres({ dataDir: folder, log: () => undefined });
  });
  afterAll(async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A killed backend makes PostgreSQL end all others at once and recover from its log, as after a loss of power. */
  async function crash(): Promise<void> {
    const victim = new Client({ connectionString: postgres.url });
    victim.on('error', () => undefined);
    await victim.connect();
    const { rows } = await victim.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const gone = new Promise((resolve) => victim.once('end', resolve));
    const pid = rows[0]?.pid;
    if (pid === undefined) throw new Error('PostgreSQL has no process to kill');
    process.kill(pid, 'SIGKILL');
    await gone;
  }

  it.each(STEPS)('before the step "%s" has every append either stored once or refused', async (step) => {
    let armed = false;
    const toy = await openToyKernel({
      adminUrl: postgres.url,
      step: async (at) => {
        if (!armed || at !== step) return;
        armed = false;
        await crash();
      },
    });
    const append = async (text: string) => {
      const opened = await toy.kernel.work.run(system(), async (work) => work.open('note', note(text)));
      return { text, position: opened.id };
    };
    await append('before');
    armed = true;
    const during = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => append(`during ${n}`)));
    const acknowledged = during.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    acknowledged.push(await onceItAnswers((attempt) => append(`after ${attempt}`)));
    await expectWhole(toy.kernel, acknowledged);
    await toy.close();
  });

  /** Requests fail until PostgreSQL is back and the connections that it cut are replaced. */
  async function onceItAnswers<T>(request: (attempt: number) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await request(attempt);
      } catch (error) {
        if (attempt === 200) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }
});
