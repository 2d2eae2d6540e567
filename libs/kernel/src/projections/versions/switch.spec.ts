import pino from 'pino';
import type { RealmId } from '../../domain/index';
import { BackgroundRunner } from '../running/background-runner';
import type { Projection } from '../definition/define';
import type { EventSource } from '../running/event-source';
import { Rebuild } from '../rebuild/rebuild';
import { HOLD_VERSIONS_SQL } from '../schema';
import { manyNotes, note, notes, touch, v1, v2 } from '../spec-support/notes';
import { isWaitingForLock } from '../spec-support/locks';
import { altered, counting } from '../spec-support/sources';
import { SpecLog } from '../spec-support/spec-log';

describe('a switch', () => {
  let log: SpecLog;

  beforeEach(async () => {
    log = await SpecLog.open();
  });
  afterEach(() => log.close());

  const rebuild = (declared: readonly Projection[], source: EventSource = log.source) =>
    new Rebuild({ ...log.deps, source, pageSize: 10 }, declared);
  const liveWith = async (...projections: readonly Projection[]) => {
    await log.store.ensureLive(projections);
    log.inline = projections.filter(({ lifecycle }) => lifecycle === 'inline');
  };
  const row = async (name = 'notes') => (await log.store.rows()).get(name);
  const tables = async () => {
    const { rows } = await log.database.pool.query<{ at: string }>(
      `SELECT schemaname || '.' || tablename AS at FROM pg_tables
       WHERE schemaname ~ '^(view|next_|prev_|replay_)' ORDER BY 1`,
    );
    return rows.map(({ at }) => at);
  };

  it('to a new build of the live version waits for snapshots that hold on to the tables they see', async () => {
    await liveWith(v1);
    await log.append(1, note(1));
    const reader = await log.database.pool.connect();
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await reader.query(HOLD_VERSIONS_SQL);
    await reader.query('SELECT 1');
    const switched = rebuild([v1]).run(['notes']);
    await isWaitingForLock(log);
    await log.append(1, note(2));
    const { rows } = await reader.query('SELECT * FROM view_notes_1.notes');
    expect(rows).toEqual([
      { realm_id: 1, id: 1, text: 'note 1', n: null, last_position: expect.anything() as unknown },
    ]);
    await reader.query('COMMIT');
    reader.release();
    await switched;
    expect(await log.rows('notes')).toHaveLength(2);
  });

  describe('back to the version before', () => {
    it('continues from the replaced tables, with what was written since', async () => {
      await liveWith(v1);
      await log.append(1, ...manyNotes(1, 20));
      await rebuild([v2]).run(['notes']);
      log.inline = [v2];
      await log.append(1, note(21), touch(2));
      const source = counting(log.source);
      await rebuild([v1], source.source).run(['notes']);
      expect(source.events()).toBe(2);
      expect(await row()).toMatchObject({ version: 1, prevVersion: 2 });
      log.inline = [v1];
      await log.append(1, touch(3));
      expect(await rebuild([v1]).compareWithReplay()).toEqual([]);
      expect(await log.rows('notes')).toHaveLength(21);
    });

    it('begins with empty tables when they have been dropped', async () => {
      await liveWith(v1);
      await log.append(1, ...manyNotes(1, 5));
      await rebuild([v2]).run(['notes']);
      await log.store.dropPrevious(['notes']);
      const source = counting(log.source);
      await rebuild([v1], source.source).run(['notes']);
      expect(source.events()).toBe(5);
      expect(await rebuild([v1]).compareWithReplay()).toEqual([]);
    });
  });

  describe('of a background projection', () => {
    const counted1 = notes({ version: 1, lifecycle: 'background' });
    const counted2 = notes({ version: 2, lifecycle: 'background' });
    const runnerOf = (projection: Projection) =>
      new BackgroundRunner({ ...log.deps, store: log.store, log: pino({ level: 'silent' }) }, [projection], [], {
        pageSize: 7,
      });
    const caughtUp = async (runner: BackgroundRunner) => {
      await runner.poll();
      await runner.settled();
    };

    it('is taken over by the runner of the new code, and released by that of the old', async () => {
      await liveWith(counted1);
      await log.append(1, ...manyNotes(1, 20));
      const [old, current] = [runnerOf(counted1), runnerOf(counted2)];
      await Promise.all([old, current].map(caughtUp));
      expect(old.status()).toMatchObject([{ lag: 0 }]);
      await rebuild([counted2]).run(['notes']);

      // The old runner has not read the heads yet, and takes its generation for live.
      old.wake(1 as RealmId, await log.append(1, note(21), touch(21)));
      await old.settled();
      expect(await log.rows('notes')).toHaveLength(20);
      await Promise.all([old, current].map(caughtUp));
      expect(old.status()).toMatchObject([{ generation: null }]);
      expect(current.status()).toMatchObject([{ lag: 0 }]);
      expect(await log.rows('notes')).toHaveLength(21);
      expect(await rebuild([counted2]).compareWithReplay()).toEqual([]);
    });

    it('blocks no writer', async () => {
      await liveWith(counted1);
      await log.append(1, note(1));
      const source: EventSource = {
        ...altered(log.source, (read) => read()),
        lockHeads: () => Promise.reject(new Error('the heads are not to be locked')),
      };
      await rebuild([counted2], source).run(['notes']);
      expect(await row()).toMatchObject({ version: 2 });
      expect(await log.checkpoint('notes', 1)).toEqual({ position: 1, status: 'running' });
    });

    it('is compared at the position of both, and not before', async () => {
      await liveWith(counted1);
      await log.append(1, ...manyNotes(1, 5));
      await rebuild([counted2]).build(['notes']);
      await expect(rebuild([counted2]).diff('notes')).rejects.toThrow(
        'at position 5 of realm 1, the live read model only at 0',
      );
      await caughtUp(runnerOf(counted1));
      expect(await rebuild([counted2]).diff('notes')).toEqual([]);
    });
  });

  describe('after an upgrade', () => {
    const log1 = notes({ version: 1, name: 'log' });
    const extra = notes({ version: 1, name: 'extra', lifecycle: 'background' });

    it('switches to all changed versions at once, and drops what is no longer declared', async () => {
      await liveWith(v1, log1);
      await log.append(1, ...manyNotes(1, 12));
      expect(await rebuild([v2, extra]).upgrade()).toEqual(['notes', 'extra', 'log']);
      expect([...(await log.store.rows()).values()].map(({ name, version }) => [name, version]).sort()).toEqual([
        ['extra', 1],
        ['notes', 2],
      ]);
      expect(await tables()).toEqual(['prev_notes.notes', 'view_extra_1.extra', 'view_notes_2.notes']);
      log.inline = [v2];
      await log.append(1, note(13));
      expect(await rebuild([v2, extra]).upgrade()).toEqual([]);
    });

    it('makes a projection live that did not exist before', async () => {
      await liveWith(v1);
      await log.append(1, ...manyNotes(1, 3));
      await rebuild([v1, log1]).upgrade();
      await expect(log.append(1, note(4))).rejects.toThrow('read model log is live, this process does not know it');
      log.inline = [v1, log1];
      await log.append(1, note(4));
      expect(await log.rows('log')).toHaveLength(4);
    });
  });
});
