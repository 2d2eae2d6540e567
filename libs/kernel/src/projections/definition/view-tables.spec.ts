import { notes } from '../spec-support/notes';
import { ViewTables } from './view-tables';

describe('names of tables in queries', () => {
  const tables = new ViewTables([notes({ version: 3 }), notes({ version: 1, name: 'notes_of_others' })]);

  it.each([
    ['SELECT FROM view.notes', 'SELECT FROM "view_notes_3"."notes"'],
    [
      'SELECT n.id FROM view.notes n JOIN view.notes_of_others AS o USING (id)',
      'SELECT n.id FROM "view_notes_3"."notes" n JOIN "view_notes_of_others_1"."notes_of_others" AS o USING (id)',
    ],
    ['INSERT INTO view.notes(id) VALUES (1)', 'INSERT INTO "view_notes_3"."notes"(id) VALUES (1)'],
    ['SELECT FROM review.notes', 'SELECT FROM review.notes'],
    ['SELECT FROM view.none', 'SELECT FROM view.none'],
    ['SELECT FROM events', 'SELECT FROM events'],
  ])('%s', (text, resolved) => {
    expect(tables.resolve(text)).toBe(resolved);
    expect(tables.resolve(text)).toBe(resolved);
  });
});
