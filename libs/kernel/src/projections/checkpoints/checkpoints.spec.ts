import { randomUUID } from 'node:crypto';
import type { Instant, RealmId } from '../../domain/index';
import { BY_INDEX_SQL } from '../rows/row-sql';
import { SpecLog } from '../spec-support/spec-log';
import { advance, advanceAll } from './checkpoints';

const literal = (value: unknown): string => `'${Array.isArray(value) ? `{${value.join()}}` : String(value)}'`;

describe('the statements that move checkpoints', () => {
  it('find the event by its position, also under a plan from a time when the log was empty', async () => {
    const log = await SpecLog.open();
    const client = await log.database.pool.connect();
    try {
      await client.query('VACUUM (ANALYZE) events');
      await client.query(`SET plan_cache_mode = force_generic_plan; BEGIN; ${BY_INDEX_SQL}`);
      const generation = { projection: 'counts', generation: 1 };
      const move = { realmId: 1 as RealmId, from: 5, to: 9, commandId: randomUUID() };
      const query = jest.spyOn(client, 'query');
      await advance(client, generation, move, 0 as Instant);
      await advanceAll(client, [{ ...generation, ...move }], 0 as Instant);
      const sent = query.mock.calls.map(([config]) => config as unknown as { name: string; values: unknown[] });
      query.mockRestore();
      expect(sent.map(({ name }) => name)).toEqual(['checkpoint-advance', 'checkpoints-advance']);
      for (const { name, values } of sent) {
        const { rows } = await client.query<Record<'QUERY PLAN', string>>(
          `EXPLAIN (COSTS off) EXECUTE "${name}" (${values.map(literal).join()})`,
        );
        const lines = rows.map((row) => row['QUERY PLAN']);
        const scans = lines.flatMap((line, n) => (/ on events_\d+/.test(line) ? [lines[n + 1]?.trim()] : []));
        expect(scans.length).toBeGreaterThan(0);
        expect(scans.filter((condition) => !/^Index Cond: .*"position" >= /.test(condition ?? ''))).toEqual([]);
      }
    } finally {
      client.release(true);
      await log.close();
    }
  });
});
