import type { Instant, RealmId } from '../../domain/index';
import { realm, system } from '../../spec-support/toy-kernel';
import { note } from '../../spec-support/toy-context';
import { withPast } from './past';
import { PastClock } from './past-clock';
import { pastRows, withPastLock } from './pasts';
import { PastStage, memosOf, pastAt, textsOf } from './spec-support/past-stage';

describe('a past', () => {
  let stage: PastStage;
  beforeEach(async () => (stage = await PastStage.open()));
  afterEach(() => stage.close());

  it('has the log and every read model as they were at its position', async () => {
    await stage.notes(5);
    await stage.write(1, 'a memo');
    await stage.drop(1);
    const [found] = await stage.look(pastAt(6), async (past) => ({
      texts: await textsOf(past),
      memos: await memosOf(past),
      heads: await past.events.heads(),
      events: (await past.events.page(realm, 3, 100)).map(({ position }) => position),
      stream: await past.events.stream(realm, 'drops'),
      reached: await past.fence.reach(realm),
      snapshot: await past.snapshot(realm, async (_, head) => head),
      lags: await past.lags(),
      outdated: await past.outdated(),
    }));
    expect(found).toEqual({
      texts: ['note 1', 'note 2', 'note 3', 'note 4', 'note 5'],
      memos: [{ memo: 1, text: 'a memo' }],
      heads: new Map([[1, 6]]),
      events: [4, 5, 6],
      stream: [],
      reached: 6,
      snapshot: 6,
      lags: expect.any(Array) as unknown,
      outdated: [],
    });
    expect(found?.lags.every(({ behind, ahead, parked }) => behind === 0 && ahead === 0 && !parked)).toBe(true);
  });

  it('contains only its realm, and does not grow', async () => {
    await stage.notes(3);
    await stage.notes(4, 2 as RealmId);
    const [found] = await stage.look(pastAt(2), async (past) => {
      await stage.notes(1);
      return [await textsOf(past), [...(await past.events.heads())], await past.events.page(2 as RealmId, 0, 9)];
    });
    expect(found).toEqual([['note 1', 'note 2'], [[1, 2]], []]);
  });

  it('refuses every command, and nothing can be written to its log', async () => {
    await stage.notes(2);
    const [refused] = await stage.look(pastAt(2), async (past) => {
      const { pool } = past.database;
      await expect(pool.query('DELETE FROM events')).rejects.toThrow('the log is append-only');
      await expect(pool.query('UPDATE events SET sealed = NULL')).rejects.toThrow();
      await expect(pool.query('INSERT INTO events SELECT * FROM events')).rejects.toThrow('the log is append-only');
      return past.work.run(system(), async (work) => work.append('a', [note('b')])).catch((error: unknown) => error);
    });
    expect(refused).toMatchObject({ code: 'READ_ONLY_PAST' });
    expect(await stage.live.events.heads()).toEqual(
      new Map([
        [1, 2],
        [2, 0],
      ]),
    );
  });

  it('leaves everything of the live system as it was, and nothing behind', async () => {
    await stage.notes(3);
    await stage.follow();
    const state = async () => {
      const tables = ['installation', 'projections', 'projection_checkpoints', 'parked_events', 'processes', 'pasts'];
      return Promise.all(
        tables.map(
          async (name) => (await stage.live.database.pool.query<object>(`SELECT * FROM ${name} ORDER BY 1, 2`)).rows,
        ),
      );
    };
    const before = await state();
    await stage.look(pastAt(2), async (past) => {
      await past.database.pool.query(`INSERT INTO secrets VALUES (1, 'a', 'a', '\\x00')`);
      await past.ids.next(realm, 'thing');
      expect(await stage.schemas()).toEqual(['past_1_2']);
    });
    expect(await state()).toEqual(before);
    expect(await stage.schemas()).toEqual([]);
    expect((await stage.live.database.pool.query('SELECT FROM secrets')).rowCount).toBe(0);
    expect((await stage.live.database.pool.query('SELECT FROM id_counters')).rowCount).toBe(0);
  });

  it('continues where a killed process stopped', async () => {
    await stage.notes(9);
    await stage.killedAfter(4, 9);
    expect(await stage.schemas()).toEqual(['past_1_9']);
    const done: number[] = [];
    const onProgress = ({ phase, done: reached }: { phase: string; done: number }) => {
      if (phase === 'reading the log') done.push(reached);
    };
    const [texts] = await stage.look(pastAt(9, { pageSize: 1, onProgress }), textsOf);
    expect(texts).toHaveLength(9);
    expect(done).toEqual([5, 6, 7, 8, 9]);
  });

  it('begins again when what a killed process left is lost, or of another release', async () => {
    await stage.notes(3);
    for (const damage of [
      'TRUNCATE past_1_3.installation, past_1_3.toy_notes, past_1_3.projection_checkpoints',
      'DROP SCHEMA past_1_3 CASCADE',
      `UPDATE pasts SET read_models = '{"toy_notes": 0}'`,
      `UPDATE pasts SET installation = gen_random_uuid()`,
    ]) {
      await stage.killedAfter(2, 3);
      await stage.live.database.pool.query(damage);
      expect(await stage.look(pastAt(3), textsOf)).toEqual([['note 1', 'note 2', 'note 3']]);
    }
  });

  it('drops what was left at other positions, unless a process holds it', async () => {
    await stage.notes(5);
    await stage.killedAfter(1, 3);
    await stage.killedAfter(1, 4);
    await withPastLock(stage.live.database, pastAt(4), async () => {
      await stage.look(pastAt(2), async () => expect(await stage.schemas()).toEqual(['past_1_2', 'past_1_4']));
      await expect(stage.look(pastAt(4), textsOf)).rejects.toThrow(
        'Another process builds or serves position 4 of realm 1.',
      );
    });
    expect(await stage.schemas()).toEqual(['past_1_4']);
  });

  it('is dropped when it is ended in the middle of its build', async () => {
    await stage.notes(5);
    const end = new AbortController();
    const serve = jest.fn(async () => undefined);
    await withPast(stage.live, pastAt(5, { signal: end.signal, pageSize: 1, onProgress: () => end.abort() }), serve);
    expect(serve).not.toHaveBeenCalled();
    expect([await stage.schemas(), await pastRows(stage.live.database.pool)]).toEqual([[], []]);
  });

  it('is dropped when it cannot be served', async () => {
    await stage.notes(1);
    const failing = withPast(stage.live, pastAt(1), () => Promise.reject(new Error('the port is taken')));
    await expect(failing).rejects.toThrow('the port is taken');
    expect(await stage.schemas()).toEqual([]);
  });

  it('has a clock that continues from its moment', () => {
    const clock = new PastClock(1_000 as Instant, stage.clock);
    stage.clock.advance(500);
    expect(clock.now()).toBe(1_500);
  });
});
