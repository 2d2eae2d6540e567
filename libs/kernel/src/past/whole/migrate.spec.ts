import { Database } from '../../database/database';
import type { Migration } from '../../database/migration';
import { migrate } from './migrate';
import { PastStage, pastAt } from './spec-support/past-stage';

const WIDER: Migration = {
  name: 'WiderVersions',
  written: 4102444800000,
  sql: 'ALTER TABLE events ALTER COLUMN v TYPE int4',
};

describe('a migration that changes a column of the log', () => {
  let stage: PastStage;
  let database: Database;
  beforeEach(async () => {
    stage = await PastStage.open();
    await stage.notes(3);
    const { databaseUrl } = stage.live.options;
    // With as many connections as the command has that runs migrations.
    database = await Database.connect(databaseUrl, { migrations: [WIDER], poolSize: 2 });
  });
  afterEach(async () => {
    await database.close();
    await stage.close();
  });

  const typeOfColumn = async () => {
    const { rows } = await database.pool.query<{ type: string }>(
      `SELECT format_type(atttypid, NULL) AS type FROM pg_attribute WHERE attrelid = 'events'::regclass AND attname = 'v'`,
    );
    return rows[0]?.type;
  };

  it('names the past that is shown, and changes nothing', async () => {
    const told = await stage.look(pastAt(2), () => migrate(database).catch((error: Error) => error.message));
    expect(told).toEqual([
      'annals past shows position 2 of realm 1, which reads what is to be changed: end it and repeat',
    ]);
    expect(await typeOfColumn()).toBe('smallint');
    await migrate(database);
    expect(await typeOfColumn()).toBe('integer');
  });

  it('drops a past that a killed process left', async () => {
    await stage.killedAfter(1, 2);
    await migrate(database);
    expect([await typeOfColumn(), await stage.schemas()]).toEqual(['integer', []]);
  });

  it('fails for another reason as it would without pasts', async () => {
    const wrong = { ...WIDER, name: 'Wrong', sql: 'ALTER TABLE events DROP COLUMN nothing' };
    const other = await Database.connect(stage.live.options.databaseUrl, { migrations: [wrong] });
    await expect(migrate(other)).rejects.toThrow('column "nothing"');
    await other.close();
  });
});
