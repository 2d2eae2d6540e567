import type { BuildProgress } from './build';
import { BuildStopped } from './build';
import { BuildInProgress } from './build-lock';
import type { Projection } from '../definition/define';
import type { EventSource } from '../running/event-source';
import { Rebuild } from './rebuild';
import { Asked } from '../spec-support/asked';
import { manyNotes, note, notes, touch, v1, v2, withoutThrow } from '../spec-support/notes';
import { altered, counting, dyingAfter } from '../spec-support/sources';
import { SpecLog } from '../spec-support/spec-log';

describe('a rebuild', () => {
  let log: SpecLog;
  let progress: BuildProgress[];

  beforeEach(async () => {
    log = await SpecLog.open();
    progress = [];
  });
  afterEach(() => log.close());

  const rebuild = (declared: readonly Projection[], source: EventSource = log.source) =>
    new Rebuild({ ...log.deps, source, pageSize: 10, onProgress: (one) => progress.push(one) }, declared);
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

  it('makes a new version from the log beside the live one, and switches to it', async () => {
    await liveWith(v1);
    await log.append(1, ...manyNotes(1, 25), touch(3));
    await log.append(2, note(1));
    await rebuild([v2]).build(['notes']);
    expect(await tables()).toEqual(['next_notes.notes', 'view_notes_1.notes']);
    expect(await row()).toMatchObject({ version: 1, nextVersion: 2, nextIndexed: true });
    await log.append(1, note(26));

    await rebuild([v2]).run(['notes']);
    log.inline = [v2];
    await log.append(1, note(27));
    expect(await tables()).toEqual(['prev_notes.notes', 'view_notes_2.notes']);
    expect(await row()).toMatchObject({ version: 2, nextVersion: null, prevVersion: 1 });
    expect((await log.rows('notes')).map((one) => Number(one['came']))).toEqual([
      ...Array.from({ length: 25 }, (_, i) => i + 1),
      27,
      28,
      1,
    ]);
    expect(await rebuild([v2]).compareWithReplay()).toEqual([]);
    const { rows } = await log.database.pool.query(
      `SELECT indexname FROM pg_indexes WHERE schemaname = 'view_notes_2' ORDER BY 1`,
    );
    expect(rows).toEqual([{ indexname: 'notes_i1' }, { indexname: 'notes_pkey' }]);
    expect(await log.checkpoint('notes', 1)).toBeUndefined();
    expect(await log.store.dropPrevious()).toEqual(['notes']);
    expect(await tables()).toEqual(['view_notes_2.notes']);
  });

  it('reports its progress', async () => {
    await liveWith(v1);
    await log.append(1, ...manyNotes(1, 25));
    await rebuild([v2]).run(['notes']);
    expect(progress.map(({ phase, done, total }) => `${phase} ${done}/${total}`)).toEqual([
      'copying 10/25',
      'copying 20/25',
      'copying 25/25',
      'indexing 25/25',
      'live 25/25',
    ]);
  });

  it('of the live version begins at the first event, each time', async () => {
    await liveWith(v1);
    await log.append(1, ...manyNotes(1, 25));
    const source = counting(log.source);
    await rebuild([v1], source.source).run(['notes']);
    await log.database.pool.query('DELETE FROM view_notes_1.notes');
    await rebuild([v1], source.source).run(['notes']);
    expect(source.events()).toBe(50);
    expect(await log.rows('notes')).toHaveLength(25);
  });

  it('loses no write of running processes, and stops a process that does not know the new version', async () => {
    await liveWith(v1);
    await log.append(1, ...manyNotes(1, 30));
    let written = 30;
    const write = async (realm: number) => {
      for (let i = 100, refused = false; !refused; i += 1) {
        try {
          await log.append(realm, note(i), touch(i));
          written += 2;
        } catch (error) {
          expect(String(error)).toContain('read model notes is live in version 2, this process writes version 1');
          refused = true;
        }
      }
    };
    const switched = new Rebuild(log.deps, [v2]).run(['notes']);
    await Promise.all([write(1), write(2), write(3), switched]);
    log.inline = [v2];
    written += (await log.append(4, note(1))) && 1;
    const heads = [...(await log.source.heads()).values()];
    expect(heads.reduce((sum, head) => sum + head, 0)).toBe(written);
    expect(await rebuild([v2]).compareWithReplay()).toEqual([]);
  });

  it.each([
    [1, 22],
    [2, 16],
    [3, 6],
  ])('that is killed after %p pages continues with the %p events that are left', async (survived, left) => {
    await liveWith(v1);
    await log.append(1, ...manyNotes(1, 15), touch(1));
    await log.append(2, ...manyNotes(1, 15), touch(2));
    await expect(rebuild([v2], dyingAfter(log.source, survived)).run(['notes'])).rejects.toThrow('killed');
    expect(await row()).toMatchObject({ version: 1, nextVersion: 2 });
    const again = counting(log.source);
    await rebuild([v2], again.source).run(['notes']);
    expect(again.events()).toBe(left);
    expect(await rebuild([v2]).compareWithReplay()).toEqual([]);
  });

  it('that is killed between its phases continues, and can be started from the beginning', async () => {
    await liveWith(v1);
    await log.append(1, ...manyNotes(1, 15));
    const atIndexing = new Rebuild(
      {
        ...log.deps,
        pageSize: 10,
        onProgress: ({ phase }) => {
          if (phase === 'indexing') throw new Error('killed');
        },
      },
      [v2],
    );
    await expect(atIndexing.run(['notes'])).rejects.toThrow('killed');
    expect(await row()).toMatchObject({ nextVersion: 2, nextIndexed: false });
    const first = (await row())?.nextGeneration;
    const again = counting(log.source);
    await rebuild([v2], again.source).build(['notes']);
    expect(again.events()).toBe(0);
    expect(await row()).toMatchObject({ nextIndexed: true, nextGeneration: first });
    await rebuild([v2], again.source).build(['notes'], { restart: true });
    expect(again.events()).toBe(15);
    expect((await row())?.nextGeneration).toBeGreaterThan(first ?? Infinity);
  });

  it('is refused while another process builds the same read model', async () => {
    await liveWith(v1);
    await log.append(1, note(1));
    let second: Promise<void> | undefined;
    const source: EventSource = altered(log.source, async (read) => {
      second ??= rebuild([v2]).run(['notes']);
      await expect(second).rejects.toThrow(BuildInProgress);
      await expect(second).rejects.toThrow('read model notes is being built by another process');
      return read();
    });
    await rebuild([v2], source).run(['notes']);
    expect(await row()).toMatchObject({ version: 2 });
    expect(second).toBeDefined();
  });

  it('stops at an event that the new version cannot apply, and leaves the live one unchanged', async () => {
    await liveWith(v1);
    await log.append(1, ...manyNotes(1, 12), [{ do: 'throw', message: 'not like this' }], note(13));
    const run = rebuild([v2]).run(['notes']);
    await expect(run).rejects.toThrow(BuildStopped);
    await expect(run).rejects.toThrow(/read model notes cannot be built: position 13 of realm 1: .*not like this/);
    expect(await row()).toMatchObject({ version: 1 });
    expect(await log.rows('notes', 'next_notes')).toHaveLength(12);
    await log.append(1, note(14));
    const repaired = { ...notes({ version: 2 }), handlers: new Map([[Asked.type, withoutThrow(v2)]]) };
    await rebuild([repaired]).run(['notes']);
    expect(await row()).toMatchObject({ version: 2 });
    expect(await log.rows('notes')).toHaveLength(14);
    expect(await log.store.parked()).toEqual([]);
  });
});
