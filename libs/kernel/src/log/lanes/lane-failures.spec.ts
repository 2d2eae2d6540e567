import { Client } from 'pg';
import type { ToyKernel } from '../../spec-support/toy-kernel';
import type { RealmId } from '../../domain/index';
import { CallRecorder } from '../../../../../test/support/events/call-recorder';
import { Rejected } from '../../domain/index';
import { PipelinedBatch } from '../statements/pipelined-batch';
import { Overloaded } from '../errors';
import { readCopyOut } from '../../spec-support/copy-out';
import { emptyAppend } from '../../spec-support/empty-append';
import { LaneRecord } from '../../spec-support/lane-record';
import { counter, lengthUnused, noMoreOfLength, note, raise } from '../../spec-support/toy-context';
import { openToyKernel, realm, system } from '../../spec-support/toy-kernel';
import { untilLanesWait } from '../../spec-support/waiting-lanes';

/** Failures that a write path of this kind had before. Each must remain impossible. */
describe('the write path', () => {
  let toy: ToyKernel;
  afterEach(async () => {
    jest.restoreAllMocks();
    await toy.close();
  });

  const open = (text: string) => toy.kernel.work.run(system(), async (work) => work.open('note', note(text)));
  const texts = async () => {
    const { rows } = await toy.kernel.database.pool.query<{ text: string }>('SELECT text FROM view.toy_notes');
    return rows.map((row) => row.text).sort();
  };
  const length = async () => (await toy.kernel.events.page(realm, 0, 1_000)).length;

  it('an exception between the INSERT and the COMMIT leaves nothing half done for the retry to commit', async () => {
    let failures = 0;
    toy = await openToyKernel({
      step: (at) => {
        if (at === 'commit' && failures++ === 0) throw new Error('a bug between two statements');
      },
    });
    const names = Array.from({ length: 8 }, (_, n) => `note ${n}`);
    await Promise.all(names.map(open));
    expect(await texts()).toEqual(names);
    expect(await length()).toBe(8);
  });

  it('an exception in each attempt refuses the append and leaves the lane usable', async () => {
    let broken = true;
    toy = await openToyKernel({
      step: (at) => {
        if (at === 'commit' && broken) throw new Error('a bug between two statements');
      },
    });
    await expect(open('lost')).rejects.toThrow('a bug between two statements');
    broken = false;
    await open('kept');
    expect(await texts()).toEqual(['kept']);
  });

  it('a COMMIT that is answered with ROLLBACK, without an error, does not count as stored', async () => {
    toy = await openToyKernel({ step: () => undefined }); // The COMMIT is sent alone then.
    const query = Client.prototype.query as (...args: unknown[]) => Promise<unknown>;
    jest.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...args: unknown[]) {
      const [batch] = args;
      const commits = batch instanceof PipelinedBatch && batch.statements[0]?.text === 'COMMIT';
      // Fails the transaction before the COMMIT, without an error for the lane.
      if (commits) query.call(this, 'SELECT 1 / 0').catch(() => undefined);
      return query.apply(this, args) as never;
    });
    await expect(open('lost')).rejects.toThrow('rolled back');
    jest.restoreAllMocks();
    await open('kept');
    expect(await texts()).toEqual(['kept']);
  });

  it('a slow step before the COMMIT begins after all statements', async () => {
    const written = `SELECT FROM pg_stat_activity WHERE datname = current_database()
      AND application_name = 'annals-lane' AND state = 'idle in transaction' AND query LIKE 'INSERT%'`;
    toy = await openToyKernel({
      step: async (at) => {
        if (at === 'commit') while ((await toy.kernel.database.pool.query(written)).rowCount !== 1);
      },
    });
    await open('note');
    expect(await texts()).toEqual(['note']);
  });

  it('versions are read after the lock is held, so a writer that waited for it sees what the other wrote', async () => {
    toy = await openToyKernel();
    const other = await toy.another();
    const raiseOnce = (kernel: typeof other) =>
      kernel.work.run(system(), (work) => work.decide(counter, 1, raise(1, 1)));
    await Promise.all(Array.from({ length: 60 }, (_, n) => raiseOnce(n % 2 ? other : toy.kernel)));
    expect(await toy.kernel.work.run(system(), (work) => work.read(counter, 1))).toBe(60);
  });

  it('appends to one hot stream whose version does not matter all fit in one batch', async () => {
    let batches = 0;
    toy = await openToyKernel({ step: (at) => void (batches += at === 'committed' ? 1 : 0) });
    const append = () => toy.kernel.work.run(system(), async (work) => work.append('note-hot', [note('hot')]));
    await Promise.all(Array.from({ length: 100 }, append));
    const events = await toy.kernel.events.stream(realm, 'note-hot');
    expect(events.map((event) => event.version)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
    expect(batches).toBeLessThan(10);
  });

  it('cursors and COPY, which a pipelined connection does not support, run on the shared connections', async () => {
    toy = await openToyKernel();
    for (const text of ['one', 'two', 'three']) await open(text);
    const { pool } = toy.kernel.database;
    // In portions of two: the portal stays open between them.
    const portions = { text: 'SELECT position FROM events ORDER BY position', rows: 2 };
    expect((await pool.query<{ position: number }>(portions)).rows.map(({ position }) => position)).toEqual([1, 2, 3]);
    const copied = await toy.kernel.database.transaction('BEGIN', (client) =>
      readCopyOut(client, 'COPY (SELECT type, position FROM events ORDER BY position) TO STDOUT'),
    );
    expect(copied).toBe('toy.Noted\t1\ntoy.Noted\t2\ntoy.Noted\t3\n');
  });

  describe('while heads are locked', () => {
    const REALMS = [5, 3, 1, 4, 2];
    const writeAll = () => Promise.all(REALMS.map((id) => toy.kernel.lanes.append(emptyAppend(id as RealmId))));

    it.each([1, 2, 3, 4, 5])(
      'a batch of five realms passes over the head %i that another session holds, and waits for it without any other',
      async (held) => {
        toy = await openToyKernel({ realms: 5, poolSize: 2 });
        const { pool } = toy.kernel.database;
        let waited: Promise<unknown> = Promise.resolve();
        const writeOthers = () =>
          Promise.all(
            REALMS.filter((id) => id !== held).map((id) => toy.kernel.lanes.append(emptyAppend(id as RealmId))),
          );
        await toy.kernel.database.transaction('BEGIN', async (client) => {
          await client.query('SELECT FROM realm_heads WHERE realm_id = $1 FOR UPDATE', [held]);
          waited = toy.kernel.lanes.append(emptyAppend(held as RealmId));
          await writeOthers();
          await untilLanesWait(pool, 1);
          // The others continue, and nobody holds their heads.
          await writeOthers();
          const { rows } = await pool.query<{ realm_id: number }>(
            'SELECT realm_id FROM realm_heads FOR UPDATE SKIP LOCKED',
          );
          expect(rows.map(({ realm_id }) => realm_id).sort()).toEqual([1, 2, 3, 4, 5].filter((id) => id !== held));
        });
        await waited;
      },
    );

    it('an append that waits too long for a locked head is refused, and no other', async () => {
      toy = await openToyKernel({ realms: 2, statementTimeoutMs: 1_000 });
      await toy.kernel.database.transaction('BEGIN', async (client) => {
        await client.query('SELECT FROM realm_heads WHERE realm_id = 1 FOR UPDATE');
        const refused = Promise.allSettled([1, 1, 1].map((id) => toy.kernel.lanes.append(emptyAppend(id as RealmId))));
        await toy.kernel.lanes.append(emptyAppend(2 as RealmId));
        for (const one of await refused) {
          expect(one.status === 'rejected' && one.reason instanceof Overloaded).toBe(true);
        }
      });
      await toy.kernel.lanes.append(emptyAppend(1 as RealmId));
    });

    it('the lane waits only for answers of PostgreSQL between its first lock and its COMMIT', async () => {
      toy = await openToyKernel({ realms: 5 });
      await writeAll();
      const record = LaneRecord.begin();
      await writeAll();
      const statements = record.end();
      expect(statements[0]?.text).toBe('BEGIN');
      expect(statements[1]?.text).toMatch(/FROM realm_heads .* ORDER BY realm_id FOR UPDATE SKIP LOCKED$/);
      expect(statements.at(-1)?.text).toBe('COMMIT');
      expect(statements.slice(1).filter(({ idle }) => idle)).toEqual([]);
    });

    it('the process does other work between the pieces of an append of many rows', async () => {
      toy = await openToyKernel();
      const record = LaneRecord.begin();
      await toy.kernel.work.run(system(), async (work) => {
        work.touchesRows(2_000);
        work.open('note', note('one of many'));
      });
      const waiting = record.end().filter(({ idle }) => idle);
      expect(waiting.map(({ text }) => text.split(' ').slice(0, 3).join(' '))).toContain('INSERT INTO events');
    });
  });

  it('a read model that takes too long is cancelled and refuses its append alone', async () => {
    toy = await openToyKernel({ statementTimeoutMs: 2_000 });
    await toy.kernel.database.pool.query(`
      CREATE FUNCTION doze() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN NEW; END $$;
      CREATE TRIGGER slow BEFORE INSERT ON view.toy_notes FOR EACH ROW WHEN (NEW.text = 'slow') EXECUTE FUNCTION doze()`);
    const [slow, quick] = await Promise.allSettled([open('slow'), open('quick')]);
    expect(slow).toMatchObject({ status: 'rejected', reason: { name: 'Overloaded', cause: { code: '57014' } } });
    expect(quick.status).toBe('fulfilled');
    expect(await texts()).toEqual(['quick']);
  });

  it('a slow append delays no other one, and is stored when it is done', async () => {
    toy = await openToyKernel({ realms: 3, poolSize: 3 });
    await toy.kernel.database.pool.query(`
      CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END $$;
      CREATE TRIGGER slow BEFORE INSERT ON view.toy_notes FOR EACH ROW WHEN (NEW.text = 'slow') EXECUTE FUNCTION wait()`);
    const openIn = (id: number, text: string) =>
      toy.kernel.work.run(system(id as RealmId), async (work) => work.open('note', note(text)));
    let slow: Promise<unknown> = Promise.resolve();
    await toy.kernel.database.transaction('BEGIN', async (client) => {
      await client.query('SELECT pg_advisory_xact_lock(1)');
      slow = openIn(1, 'slow');
      const others = Array.from({ length: 40 }, (_, n) => openIn(2 + (n % 2), `quick ${n}`));
      await Promise.all(others);
      await openIn(2, 'later');
      expect(await texts()).toHaveLength(41);
    });
    await slow;
    await openIn(1, 'after it');
    expect(await texts()).toEqual(expect.arrayContaining(['after it', 'later', 'slow']));
  });

  it('no append is refused if all statements are slow', async () => {
    toy = await openToyKernel({ realms: 3, statementTimeoutMs: 4_000 });
    await toy.kernel.database.pool.query(`
      CREATE FUNCTION doze() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.7); RETURN NULL; END $$;
      CREATE TRIGGER slow AFTER INSERT ON view.toy_notes FOR EACH STATEMENT EXECUTE FUNCTION doze()`);
    const names = Array.from({ length: 40 }, (_, n) => `note ${n}`);
    const openIn = (id: number, text: string) =>
      toy.kernel.work.run(system(id as RealmId), async (work) => work.open('note', note(text)));
    await Promise.all(names.map((name, n) => openIn(1 + (n % 3), name)));
    expect(await texts()).toEqual([...names].sort());
  });

  it('one of ten appends in a batch, all decided before any was stored, gets a unique name', async () => {
    const decided = new CallRecorder<[]>();
    let batches = 0;
    let holding = true;
    toy = await openToyKernel({
      step: async (at) => {
        if (at === 'begin' && holding) {
          holding = false;
          await decided.atLeast(10);
        }
        if (at === 'committed') batches += 1;
      },
    });
    const blocker = open('in their way');
    const claim = () =>
      toy.kernel.work.run(system(), async (work) => {
        work.guard(lengthUnused, 4);
        work.changesGuard(lengthUnused, 4);
        const taken = await toy.kernel.database.pool.query('SELECT 1 FROM view.toy_notes WHERE length = 4');
        if (taken.rowCount) throw new Rejected('BAD_REQUEST', 'taken');
        work.open('note', note('four'));
        // The append of this one is sent after its promises have run.
        setImmediate(decided.listener);
      });
    const results = await Promise.allSettled(Array.from({ length: 10 }, claim));
    await blocker;
    expect(results.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
    expect(await texts()).toEqual(['four', 'in their way']);
    // The batch that was held, that of the winner, and one for all that the guard refused.
    expect(batches).toBe(3);
  });

  it('a guard that covers more than others declare as changed waits for them as well', async () => {
    const decided = new CallRecorder<[]>();
    let holding = true;
    toy = await openToyKernel({
      step: async (at) => {
        if (at !== 'begin' || !holding) return;
        holding = false;
        await decided.atLeast(10);
      },
    });
    const blocker = open('in their way');
    const join = () =>
      toy.kernel.work.run(system(), async (work) => {
        const found = await toy.kernel.database.pool.query('SELECT 1 FROM view.toy_notes WHERE length = 4');
        if (found.rowCount === 2) throw new Rejected('BAD_REQUEST', 'two are enough');
        work.guard(noMoreOfLength, `4:${found.rowCount}`);
        work.changesGuard(noMoreOfLength, 4);
        work.open('note', note('four'));
        setImmediate(decided.listener);
      });
    const results = await Promise.allSettled(Array.from({ length: 10 }, join));
    await blocker;
    expect(results.filter((one) => one.status === 'fulfilled')).toHaveLength(2);
    expect(await texts()).toEqual(['four', 'four', 'in their way']);
  });
});
