import type { TestKernel } from '../../../../test/support/server/kernel';
import { REALM, openTestKernel } from '../../../../test/support/server/kernel';
import { defineContext } from '../contexts/define-context';
import type { Position } from '../domain/index';
import { defineEvent, fact, t } from '../domain/index';
import { defineProjection, increment, on } from '../projections/definition/define';
import { Past } from './past';

const id = t.Integer();
const Planted = defineEvent('garden.Planted', {
  data: t.Object({ id, beds: t.Array(id) }),
  sealed: t.Object({ name: t.String() }),
});
const Named = defineEvent('garden.Named', { data: t.Object({ id }), sealed: t.Object({ name: t.String() }) });
const Watered = defineEvent('garden.Watered', { data: t.Object({ id }) });
const Moved = defineEvent('garden.Moved', { data: t.Object({ id, from: id, to: id }) });
const Picked = defineEvent('garden.Picked', { data: t.Object({ id, bed: id }) });
const Uprooted = defineEvent('garden.Uprooted', { data: t.Object({ id }) });

const streams = ({ plant }: Readonly<Record<string, unknown>>) => [`plant-${String(plant)}`];
const garden = defineProjection({
  name: 'garden',
  version: 1,
  lifecycle: 'inline',
  tables: {
    plants: {
      columns: { plant: 'int4', name: 'text', waterings: 'int4', facts: 'jsonb', beds: 'int8[]' },
      key: ['plant'],
      past: { streams, types: [Planted, Named, Watered], lasting: [Uprooted] },
    },
    beds: {
      columns: { plant: 'int4', bed: 'int4', from_position: 'int8', to_position: 'int8' },
      key: ['plant', 'from_position'],
      past: 'spans',
    },
    fruits: {
      columns: { plant: 'int4', bed: 'int4' },
      key: ['plant', 'bed'],
      past: {
        streams,
        types: [Planted, Picked],
        deletedSince: `SELECT plant FROM view.plants WHERE realm_id = $1 AND last_position > $2`,
      },
    },
    labels: { columns: { plant: 'int4', name: 'text' }, key: ['plant'], past: 'added' },
    visits: {
      columns: { plant: 'int4' },
      key: ['plant'],
      past: {
        query: (realm, position) =>
          `SELECT realm_id, plant, last_position FROM view.plants WHERE realm_id = ${realm} AND plant < ${position}`,
      },
    },
    seeds: { columns: { plant: 'int4' }, key: ['plant'] },
  },
  handlers: [
    on(Planted, ({ data, sealed, position }, rows) => {
      const name = sealed === 'erased' ? '' : sealed.name;
      const plant = data.id;
      rows.insert('plants', { plant, name, waterings: 0, facts: { beds: data.beds }, beds: data.beds });
      rows.insert('labels', { plant, name });
      rows.insert('beds', { plant, bed: 1, from_position: position, to_position: null });
      for (const bed of data.beds) rows.insert('fruits', { plant, bed });
    }),
    on(Named, ({ data, sealed }, rows) =>
      rows.update('plants', { plant: data.id }, { name: sealed === 'erased' ? '' : sealed.name }),
    ),
    on(Watered, ({ data }, rows) => rows.update('plants', { plant: data.id }, { waterings: increment(1) })),
    on(Moved, ({ data, position }, rows) => {
      rows.update('beds', { plant: data.id, to_position: null }, { to_position: position });
      rows.insert('beds', { plant: data.id, bed: data.to, from_position: position, to_position: null });
    }),
    on(Picked, ({ data }, rows) => {
      rows.delete('fruits', { plant: data.id, bed: data.bed });
      rows.update('plants', { plant: data.id }, { facts: { picked: true } });
    }),
    on(Uprooted, ({ data }, rows) => rows.update('plants', { plant: data.id }, { name: '' })),
  ],
});
const gardens = defineContext({
  name: 'garden',
  events: [Planted, Named, Watered, Moved, Picked, Uprooted],
  projections: [garden],
});

const of = (plant: number, one: ReturnType<typeof fact>) => [`plant-${plant}`, one] as const;
const planted = (plant: number, name: string) => of(plant, fact(Planted, { id: plant, beds: [1, 2] }, { name }));

describe('the past of read models', () => {
  let test: TestKernel;
  beforeEach(async () => {
    test = await openTestKernel([gardens]);
  });
  afterEach(() => test.close());

  const rowsAt = (position: number, text: string, values: unknown[] = [REALM], only = {}) =>
    new Past(test.kernel).read({ realmId: REALM, position: position as Position }, async ({ thenOnly }) => {
      const { rows } = await thenOnly(only).query<Record<string, unknown>>({ text, values });
      return rows;
    });
  const PLANTS = 'SELECT plant, name, waterings, facts, beds FROM view.plants WHERE realm_id = $1 ORDER BY plant';

  it('has rows as they were before later changes', async () => {
    await test.state(planted(1, 'rose'), planted(2, 'fern')); // 1, 2
    await test.state(of(1, fact(Watered, { id: 1 }))); // 3
    await test.state(of(1, fact(Named, { id: 1 }, { name: 'tulip' })), planted(3, 'moss')); // 4, 5
    const facts = { beds: [1, 2] };
    const beds = ['1', '2'];
    const fern = { plant: 2, name: 'fern', waterings: 0, facts, beds };
    expect(await rowsAt(0, PLANTS)).toEqual([]);
    expect(await rowsAt(1, PLANTS)).toEqual([{ plant: 1, name: 'rose', waterings: 0, facts, beds }]);
    expect(await rowsAt(3, PLANTS)).toEqual([{ plant: 1, name: 'rose', waterings: 1, facts, beds }, fern]);
    expect((await rowsAt(5, PLANTS)).map(({ name }) => name)).toEqual(['tulip', 'fern', 'moss']);
  });

  it('never shows again what was removed for good', async () => {
    await test.state(planted(1, 'rose'));
    await test.state(of(1, fact(Uprooted, { id: 1 })), of(1, fact(Watered, { id: 1 })));
    expect(await rowsAt(1, PLANTS)).toMatchObject([{ plant: 1, name: '', waterings: 0 }]);
  });

  it('has spans that had not ended, and rows that were deleted later', async () => {
    await test.state(planted(1, 'rose'), planted(2, 'fern')); // 1, 2
    await test.state(of(1, fact(Moved, { id: 1, from: 1, to: 2 }))); // 3
    await test.state(of(1, fact(Picked, { id: 1, bed: 1 }))); // 4
    const beds = 'SELECT plant, bed, to_position FROM view.beds WHERE realm_id = $1 ORDER BY plant, from_position';
    expect(await rowsAt(2, beds)).toEqual([1, 2].map((plant) => ({ plant, bed: 1, to_position: null })));
    expect(await rowsAt(3, beds)).toEqual([
      { plant: 1, bed: 1, to_position: 3 },
      { plant: 1, bed: 2, to_position: null },
      { plant: 2, bed: 1, to_position: null },
    ]);
    const fruits = 'SELECT plant, bed FROM view.fruits WHERE realm_id = $1 ORDER BY plant, bed';
    const all = [1, 2].flatMap((plant) => [1, 2].map((bed) => ({ plant, bed })));
    expect(await rowsAt(3, fruits)).toEqual(all);
    expect(await rowsAt(4, fruits)).toEqual(all.slice(1));
  });

  it('answers queries with common table expressions, joins and tables by query', async () => {
    await test.state(planted(1, 'rose'), planted(2, 'fern'));
    await test.state(of(1, fact(Named, { id: 1 }, { name: 'tulip' })));
    const text = `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3)
      SELECT p.name, l.name AS label, b.bed FROM numbers JOIN view.plants AS p ON p.plant = n
      JOIN view.labels l ON l.realm_id = p.realm_id AND l.plant = p.plant
      LEFT JOIN view.beds b ON b.realm_id = p.realm_id AND b.plant = p.plant
      WHERE p.realm_id = $1 AND p.name <> $2 AND p.plant IN (SELECT v.plant FROM view.visits AS v)`;
    expect(await rowsAt(2, text, [REALM, 'fern'])).toEqual([{ name: 'rose', label: 'rose', bed: 1 }]);
    expect(await rowsAt(2, 'SELECT 1 AS one', [])).toEqual([{ one: 1 }]);
  });

  it('folds only the requested rows', async () => {
    await test.state(planted(1, 'rose'), planted(2, 'fern'));
    await test.state(of(1, fact(Watered, { id: 1 })), of(2, fact(Watered, { id: 2 })));
    const only = { plants: { column: 'plant', values: [2] } };
    expect(await rowsAt(2, PLANTS, [REALM], only)).toMatchObject([{ plant: 2, waterings: 0 }]);
  });

  it('refuses a table without a past', async () => {
    await expect(rowsAt(1, 'SELECT FROM view.seeds WHERE realm_id = $1')).rejects.toThrow('seeds has no past');
    await expect(rowsAt(1, 'SELECT FROM view.nothing WHERE realm_id = $1')).rejects.toThrow('nothing has no past');
  });
});
