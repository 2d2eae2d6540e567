import { note, v1 } from './spec-support/notes';
import { VERSIONED_SCHEMAS_SQL } from './schema';
import { SpecLog } from './spec-support/spec-log';
import { createTables } from './definition/tables';

/** The schema before versions had schemas of their own. */
const BEFORE = `
CREATE SCHEMA view;
ALTER TABLE projections ADD COLUMN tables text[] NOT NULL DEFAULT '{}';
${createTables(v1, 'view').join(';')};
INSERT INTO view.notes VALUES (1, 7, 'kept', NULL, 1);
INSERT INTO projections (name, lifecycle, version, generation, tables, changed_at)
  VALUES ('notes', 'inline', 1, 5, '{notes}', 0), ('jobs', 'reader', 1, 1, '{}', 0);
`;

it('read models that shared a schema get one for each version', async () => {
  const log = await SpecLog.open();
  await log.database.pool.query(BEFORE);
  await log.database.pool.query(VERSIONED_SCHEMAS_SQL);
  expect(await log.rows('notes', 'view_notes_1')).toMatchObject([{ id: 7, text: 'kept' }]);
  expect(await log.store.ensureLive([v1])).toEqual([]);
  log.inline = [v1];
  await log.append(1, note(8));
  expect(await log.rows('notes')).toHaveLength(2);
  await log.close();
});
