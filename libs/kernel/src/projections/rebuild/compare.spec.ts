import { setBits } from '../definition/bits';
import type { Projection } from '../definition/define';
import { defineProjection, on } from '../definition/define';
import { Rebuild } from './rebuild';
import { Asked } from '../spec-support/asked';
import { manyNotes, note, notes, revisit, v1, v2 } from '../spec-support/notes';
import { SpecLog } from '../spec-support/spec-log';

describe('a comparison', () => {
  let log: SpecLog;

  beforeEach(async () => {
    log = await SpecLog.open();
  });
  afterEach(() => log.close());

  const rebuild = (declared: readonly Projection[]) => new Rebuild({ ...log.deps, pageSize: 10 }, declared);
  const liveWith = async (...projections: readonly Projection[]) => {
    await log.store.ensureLive(projections);
    log.inline = projections.filter(({ lifecycle }) => lifecycle === 'inline');
  };
  const tables = async () => {
    const { rows } = await log.database.pool.query<{ at: string }>(
      `SELECT schemaname || '.' || tablename AS at FROM pg_tables
       WHERE schemaname ~ '^(view|next_|prev_|replay)' ORDER BY 1`,
    );
    return rows.map(({ at }) => at);
  };

  describe('compared with what is live', () => {
    it('shows rows that differ, by key and column, and never their values', async () => {
      await liveWith(v1);
      await log.append(1, ...manyNotes(1, 4));
      await log.append(2, note(1));
      await log.database.pool.query(
        `UPDATE view_notes_1.notes SET text = 'tampered', n = 7 WHERE realm_id = 1 AND id = 2`,
      );
      await log.database.pool.query('DELETE FROM view_notes_1.notes WHERE realm_id = 2');
      await log.database.pool.query(`INSERT INTO view_notes_1.notes VALUES (1, 9, 'stray', 0, 1)`);
      const differences = [
        {
          table: 'notes',
          onlyLive: 1,
          onlyOther: 1,
          different: 1,
          examples: [
            { key: { realm_id: 1, id: 2 }, columns: ['text', 'n'] },
            { key: { realm_id: 1, id: 9 }, columns: ['text', 'n', 'last_position'] },
            { key: { realm_id: 2, id: 1 }, columns: ['text', 'last_position'] },
          ],
        },
      ];
      expect(await rebuild([v1]).compareWithReplay()).toEqual(differences);
      expect(await tables()).toEqual(['view_notes_1.notes']);
      await rebuild([v1]).run(['notes']);
      expect(await rebuild([v1]).compareWithReplay()).toEqual([]);
    });

    it('shows rows of a read model that do not follow from the log, and rows that are missing', async () => {
      const strays = notes({ version: 1, name: 'strays' });
      const silent: Projection = { ...strays, handlers: new Map() };
      await liveWith(v1, silent);
      await log.append(1, ...manyNotes(1, 3));
      expect(await rebuild([v1, silent]).compareWithReplay()).toEqual([]);
      await log.database.pool.query(`INSERT INTO view_strays_1.strays VALUES (1, 9, 'stray', 0, 1)`);
      await log.database.pool.query('DELETE FROM view_notes_1.notes');
      expect(await rebuild([v1, silent]).compareWithReplay()).toMatchObject([
        { table: 'strays', onlyLive: 1, onlyOther: 0, different: 0 },
        { table: 'notes', onlyLive: 0, onlyOther: 3, different: 0 },
      ]);
      expect(await tables()).toEqual(['view_notes_1.notes', 'view_strays_1.strays']);
    });

    it('shows what a new version would change, at the same position of the log', async () => {
      await liveWith(v1);
      await log.append(1, ...manyNotes(1, 4));
      await rebuild([v2]).build(['notes']);
      await log.append(1, note(5), revisit(2));
      expect(await rebuild([v2]).diff('notes')).toEqual([]);
      await log.database.pool.query('UPDATE view_notes_1.notes SET n = 7 WHERE id = 5');
      expect(await rebuild([v2]).diff('notes')).toMatchObject([
        { different: 1, onlyLive: 0, onlyOther: 0, examples: [{ key: { realm_id: 1, id: 5 }, columns: ['n'] }] },
      ]);
      await expect(rebuild([v1]).diff('notes')).rejects.toThrow('there is no build of read model notes');
    });

    it('shows bits that differ', async () => {
      const marks = defineProjection({
        name: 'marks',
        version: 1,
        lifecycle: 'inline',
        tables: { marks: { columns: { id: 'int4', bits: 'bit(16)' }, key: ['id'] } },
        handlers: [
          on(Asked, ({ position }, rows) => {
            rows.insert('marks', { id: 1 });
            rows.update('marks', { id: 1 }, { bits: setBits(16, [position]) });
          }),
        ],
      });
      await liveWith(marks);
      await log.append(1, ...manyNotes(1, 3));
      expect(await rebuild([marks]).compareWithReplay()).toEqual([]);
      await log.database.pool.query('UPDATE view_marks_1.marks SET bits = set_bit(bits, 2, 0)');
      expect(await rebuild([marks]).compareWithReplay()).toMatchObject([
        { different: 1, examples: [{ key: { realm_id: 1, id: 1 }, columns: ['bits'] }] },
      ]);
    });

    it('counts rows where keys differ or the table is new', async () => {
      await liveWith(v1);
      await log.append(1, ...manyNotes(1, 3));
      const other = defineProjection({
        name: 'notes',
        version: 3,
        lifecycle: 'inline',
        tables: {
          notes: { columns: { word: 'text' }, key: ['word'] },
          texts: { columns: { text: 'text' }, key: ['text'] },
        },
        handlers: [on(Asked, ({ position }, rows) => rows.insert('notes', { word: `${position % 2}` }))],
      });
      await rebuild([other]).build(['notes']);
      expect(await rebuild([other]).diff('notes')).toMatchObject([
        { table: 'notes', onlyLive: 3, onlyOther: 2, note: expect.stringContaining('key') as unknown },
        { table: 'texts', onlyLive: 0, onlyOther: 0, note: 'the table is new' },
      ]);
    });
  });
});
