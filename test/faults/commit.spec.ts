import type { Pool } from 'pg';
import type { Kernel } from '@annals/kernel';
import { Rejected } from '@annals/kernel/domain';
import type { ToyKernel } from '../../libs/kernel/src/spec-support/toy-kernel';
import { counter, note, raise } from '../../libs/kernel/src/spec-support/toy-context';
import { emptyAppend } from '../../libs/kernel/src/spec-support/empty-append';
import { prepareEvent } from '../../libs/kernel/src/log/append/append';
import { openToyKernel, realm, system } from '../../libs/kernel/src/spec-support/toy-kernel';
import { slowNotes } from '../../libs/kernel/src/spec-support/slow-notes';
import { untilLanesWait } from '../../libs/kernel/src/spec-support/waiting-lanes';
import { CallRecorder } from '../support/events/call-recorder';
import { PostgresProxy } from '../support/faults/postgres-proxy';
import type { Acknowledged } from './appending';
import { expectWhole, startAppender, startRaiser, write } from './appending';
import { crash, postgresOfItsOwn } from './crash';

const TEXTS = Array.from({ length: 20 }, (_, n) => `note ${n}`);

let toy: ToyKernel;
let proxy: PostgresProxy;

/** A writer whose connections use the proxy, and one beside it that reads. */
async function open(options: Parameters<typeof openToyKernel>[0] = {}): Promise<Kernel> {
  toy = await openToyKernel(options);
  proxy = await PostgresProxy.open(toy.url);
  return toy.another({ databaseUrl: proxy.url });
}

afterEach(async () => {
  await toy.close();
  await proxy.close();
});

const pool = (): Pool => toy.kernel.database.pool;

const append = (kernel: Kernel) => Promise.all(TEXTS.map((text) => write(kernel, text)));

/** So many batches, one after the other. */
async function writeAlone(kernel: Kernel, batches: number): Promise<Acknowledged[]> {
  const written: Acknowledged[] = [];
  for (let n = 1; n <= batches; n++) written.push(await write(kernel, `earlier ${n}`));
  return written;
}

/** All were acknowledged, and the log has each once and nothing else. */
async function expectOnce(acknowledged: readonly Acknowledged[], count: number): Promise<void> {
  expect(await expectWhole(toy, acknowledged)).toBe(count);
  expect(acknowledged).toHaveLength(count);
}

/** A lane that was alone for a while writes without looking first. */
const WAYS: readonly (readonly [way: string, batches: number])[] = [
  ['that looks before it writes', 0],
  ['that writes on what it knows', 12],
];

/** Resolves when a lane has written, and PostgreSQL waits for its next message. */
async function untilWritten(): Promise<void> {
  const written = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'annals-lane'
    AND state <> 'idle' AND wait_event = 'ClientRead'`;
  while ((await pool().query(written)).rowCount !== 1);
}

describe.each(WAYS)('a connection %s and breaks while a batch commits', (_, batches) => {
  it.each<[when: string, fault: Parameters<PostgresProxy['atNextCommit']>[0]]>([
    ['before PostgreSQL has got the COMMIT', (commit) => commit.cut()],
    [
      'after the COMMIT took effect and before its answer was heard',
      async (commit) => {
        await commit.reach();
        commit.cut();
      },
    ],
    [
      'while the COMMIT is still on its way, which arrives after the lane has begun to look for it',
      async (commit) => {
        commit.cut();
        await untilLanesWait(pool(), 1);
        await commit.reach();
      },
    ],
  ])('%s: everything is stored once and acknowledged once', async (_when, fault) => {
    const kernel = await open();
    const earlier = await writeAlone(kernel, batches);
    const [acknowledged] = await Promise.all([append(kernel), proxy.atNextCommit(fault)]);
    await expectOnce([...earlier, ...acknowledged], batches + TEXTS.length);
  });

  it('also stores an append that was alone in its batch, once', async () => {
    const kernel = await open();
    const earlier = await writeAlone(kernel, batches);
    const cut = proxy.atNextCommit((commit) => commit.cut());
    const [written] = await Promise.all([write(kernel, 'alone'), cut]);
    await expectOnce([...earlier, written], batches + 1);
  });
});

describe('a proxy that cuts a lane off, and delivers everything it has sent late', () => {
  it.each([1, TEXTS.length])('stores each of %i appends once, wherever the lane is by then', async (count) => {
    const kernel = await open();
    const earlier = await writeAlone(kernel, 12);
    const late = proxy.atNextBegin(async (batch) => {
      batch.cut();
      // By then the lane has looked in vain, and begins to write the batch again.
      await proxy.atNextBegin(async (again) => {
        await batch.reach();
        again.pass();
      });
    });
    const acknowledged = Promise.all(TEXTS.slice(0, count).map((text) => write(kernel, text)));
    const [written] = await Promise.all([acknowledged, late]);
    await expectOnce([...earlier, ...written], 12 + count);
  });

  it('does not restore an older secret', async () => {
    const kernel = await open();
    const keep = (value: string) =>
      kernel.work.run(system(), async (work) => work.secret({ put: 'a key', kind: 'toy', value: Buffer.from(value) }));
    for (let n = 0; n < 12; n++) await keep(`value ${n}`);
    const replaced = new CallRecorder<[]>();
    const late = proxy.atNextBegin(async (batch) => {
      batch.cut();
      await replaced.atLeast(1);
      await batch.reach();
    });
    await keep('older');
    await keep('newer');
    replaced.listener();
    await late;
    expect((await pool().query('SELECT value FROM secrets')).rows).toEqual([{ value: Buffer.from('newer') }]);
  });

  it('is not waited for if it never delivers a COMMIT', async () => {
    const kernel = await open();
    const earlier = await writeAlone(kernel, 12);
    const received = new CallRecorder<[]>();
    const late = proxy.atNextCommit(async (commit) => {
      commit.cut();
      await received.atLeast(1);
    });
    const written = await append(kernel);
    received.listener();
    await late;
    await expectOnce([...earlier, ...written], 12 + TEXTS.length);
  });

  it('has an organization opened once', async () => {
    const kernel = await open();
    const other = 2 as typeof realm;
    const late = proxy.atNextCommit(async (commit) => {
      commit.cut();
      await untilLanesWait(pool(), 1);
      await commit.reach();
    });
    const event = prepareEvent(kernel.registry, { stream: 'note-new', at: 0 }, note('first'), null);
    await kernel.lanes.append(emptyAppend(other, { opensRealm: true, events: [event] }));
    await late;
    expect((await toy.kernel.events.page(other, 0, 10)).map(({ stream }) => stream)).toEqual(['note-new']);
  });
});

it('a connection that breaks again and again under callers without pauses loses and doubles nothing', async () => {
  const [CALLERS, EACH, BETWEEN_FAULTS] = [120, 40, 1_000];
  const kernel = await open();
  await slowNotes(pool());
  const written = await writeAlone(kernel, 12);
  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    for (let n = 0; n < EACH; n++) written.push(await write(kernel, `caller ${caller} note ${n}`));
  });
  for (const [round, reaches] of [true, false, true, false].entries()) {
    // By then the lane is alone for long enough to plan the next batch while one is on its way.
    while (written.length < (round + 1) * BETWEEN_FAULTS)
      await write(kernel, `round ${round} ${written.length}`).then((one) => written.push(one));
    await proxy.atNextCommit(async (commit) => {
      if (reaches) await commit.reach();
      commit.cut();
    });
  }
  await Promise.all(callers);
  await expectOnce(written, written.length);
  expect(written.length).toBeGreaterThan(CALLERS * EACH);
});

describe('a connection that breaks after its COMMIT took effect', () => {
  const lost = async (commit: Parameters<Parameters<PostgresProxy['atNextCommit']>[0]>[0]) => {
    await commit.reach();
    commit.cut();
  };

  it('is found to have done so by the first event of the batch, where it begins with secrets alone', async () => {
    const kernel = await open();
    const keep = () =>
      kernel.work.run(system(), async (work) =>
        work.secret({ put: 'a key', kind: 'toy', value: Buffer.from('digest') }),
      );
    const [, written] = await Promise.all([keep(), write(kernel, 'once'), proxy.atNextCommit(lost)]);
    await expectOnce([written], 1);
    expect((await pool().query('SELECT id FROM secrets')).rows).toEqual([{ id: 'a key' }]);
  });

  it('is checked until the result is known: a check that is cancelled has no result', async () => {
    const kernel = await open();
    const holder = await pool().connect();
    const fault = proxy.atNextCommit(async (commit) => {
      await commit.reach();
      await holder.query('BEGIN; SELECT FROM realm_heads FOR UPDATE');
      commit.cut();
    });
    const appended = append(kernel);
    await fault;
    await untilLanesWait(pool(), 1);
    await pool().query(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'annals-lane' AND wait_event_type = 'Lock'`);
    await holder.query('ROLLBACK');
    holder.release();
    await expectOnce(await appended, TEXTS.length);
  });
});

describe('a process killed', () => {
  it('between its statements and its COMMIT has stored nothing of that batch', async () => {
    await open();
    const appender = startAppender(proxy.url, 'a');
    await appender.acknowledgedAtLeast(5);
    let before: unknown;
    await proxy.atNextCommit(async () => {
      await untilWritten();
      before = (await toy.kernel.events.heads([realm])).get(realm);
      appender.child.kill('SIGKILL');
      await appender.ended;
    });
    expect(await expectWhole(toy, appender.acknowledged)).toBe(before);
  });

  it('after its COMMIT took effect and before its answer has stored the batch, once', async () => {
    await open();
    const appender = startAppender(proxy.url, 'a');
    await appender.acknowledgedAtLeast(5);
    await proxy.atNextCommit(async (commit) => {
      await commit.reach();
      appender.child.kill('SIGKILL');
      await appender.ended;
    });
    expect(await expectWhole(toy, appender.acknowledged)).toBeGreaterThan(appender.acknowledged.length);
  });

  it('there does not repeat a command for a caller that tries again, if a rule prevents it', async () => {
    await open();
    const raiser = await startRaiser(proxy.url);
    raiser.go();
    await proxy.atNextCommit(async (commit) => {
      await commit.reach();
      raiser.child.kill('SIGKILL');
      await raiser.ended;
    });
    expect(raiser.acknowledged).toEqual([]);
    const repeated = toy.kernel.work.run(system(), (work) => work.decide(counter, 1, raise(1, 1, 1)));
    await expect(repeated).rejects.toThrow(Rejected);
    expect(await toy.kernel.events.stream(realm, 'counter-1')).toHaveLength(1);
  });
});

describe.each(WAYS)('PostgreSQL that crashes under a lane %s', (_, batches) => {
  const url = postgresOfItsOwn();

  it.each([
    ['after a COMMIT took effect and before its answer was heard', true],
    ['between the statements of a batch and its COMMIT', false],
  ])('%s: everything is stored once and acknowledged once', async (_when, reaches) => {
    const kernel = await open({ adminUrl: url() });
    const earlier = await writeAlone(kernel, batches);
    const fault = proxy.atNextCommit(async (commit) => {
      await (reaches ? commit.reach() : untilWritten());
      await crash(url());
    });
    const [acknowledged] = await Promise.all([append(kernel), fault]);
    await expectOnce([...earlier, ...acknowledged], batches + TEXTS.length);
  });
});
