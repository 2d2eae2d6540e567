import { Client } from 'pg';
import type { ToyKernel } from '../spec-support/toy-kernel';
import { counter, note, raise } from '../spec-support/toy-context';
import { openToyKernel, realm, system } from '../spec-support/toy-kernel';

/** Ways in which a write path of this kind went wrong before; each must stay impossible. */
describe('traps of the write path', () => {
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

  it('trap 1: an exception between the INSERT and the COMMIT leaves nothing half done for the retry to commit', async () => {
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

  it('trap 1: an exception that stays refuses the append and leaves the lane usable', async () => {
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

  it('trap 2: a COMMIT that is answered with ROLLBACK, without an error, does not count as stored', async () => {
    toy = await openToyKernel();
    const query = Client.prototype.query as (...args: unknown[]) => Promise<unknown>;
    jest.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...args: unknown[]) {
      const statement = args[0] as { text?: string };
      if (!statement.text?.includes('toy_notes')) return query.apply(this, args) as never;
      // The last statement before the COMMIT fails without anybody hearing of it.
      return query.call(this, 'SELECT 1 / 0').catch(() => ({ rows: [] })) as never;
    });
    await expect(open('lost')).rejects.toThrow('rolled back');
    jest.restoreAllMocks();
    await open('kept');
    expect(await texts()).toEqual(['kept']);
  });

  it('trap 3: versions are read after the lock is held, so a writer that waited for it sees what the other wrote', async () => {
    toy = await openToyKernel();
    const other = await toy.another();
    const raiseOnce = (kernel: typeof other) =>
      kernel.work.run(system(), (work) => work.decide(counter, 1, raise(1, 1)));
    await Promise.all(Array.from({ length: 60 }, (_, n) => raiseOnce(n % 2 ? other : toy.kernel)));
    expect(await toy.kernel.work.run(system(), (work) => work.read(counter, 1))).toBe(60);
  });

  it('trap 5: appends to one hot stream whose version does not matter all fit in one batch', async () => {
    let batches = 0;
    toy = await openToyKernel({ step: (at) => void (batches += at === 'committed' ? 1 : 0) });
    const append = () => toy.kernel.work.run(system(), async (work) => work.append('note-hot', [note('hot')]));
    await Promise.all(Array.from({ length: 100 }, append));
    const events = await toy.kernel.events.stream(realm, 'note-hot');
    expect(events.map((event) => event.version)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
    expect(batches).toBeLessThan(10);
  });

  it('trap 8: whoever reads the log in pages has a connection of its own, not the pipelined one of a lane', async () => {
    toy = await openToyKernel();
    await open('note');
    await toy.kernel.database.transaction('BEGIN', async (client) => {
      await client.query('DECLARE c CURSOR FOR SELECT 1');
      const { rows } = await client.query<{ name: string }>(`SELECT current_setting('application_name') AS name`);
      expect(rows).toEqual([{ name: 'annals' }]);
    });
  });

  it('trap 10: a read model that takes too long is cancelled and refuses its append alone', async () => {
    toy = await openToyKernel({ statementTimeoutMs: 300 });
    await toy.kernel.database.pool.query(`
      CREATE FUNCTION doze() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(5); RETURN NEW; END $$;
      CREATE TRIGGER slow BEFORE INSERT ON view.toy_notes FOR EACH ROW WHEN (NEW.text = 'slow') EXECUTE FUNCTION doze()`);
    const [slow, quick] = await Promise.allSettled([open('slow'), open('quick')]);
    expect(slow).toMatchObject({ status: 'rejected', reason: { code: '57014' } });
    expect(quick.status).toBe('fulfilled');
    expect(await texts()).toEqual(['quick']);
  });
});
