import type { MigrationInterface, QueryRunner } from 'typeorm';
import { LOG_SCHEMA_SQL } from '../log/schema';
import { PROJECTION_SCHEMA_SQL } from '../projections/schema';

/** Only the log, checkpoints, secrets and queues have migrations; read models are rebuilt instead. */
class Log1795132800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(LOG_SCHEMA_SQL);
    await runner.query(PROJECTION_SCHEMA_SQL);
  }

  async down(): Promise<void> {
    throw new Error('the log is not taken back');
  }
}

export const migrations = [Log1795132800000] as const;
