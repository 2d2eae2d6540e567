import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A step of the schema of data that is not derived: the log, checkpoints, secrets, queues. Read models are rebuilt
 * instead.
 */
export interface Migration {
  /** Describes the change. Together with the time, it is the name of the migration. */
  readonly name: string;
  /** When it was written, in ms since the epoch. Migrations run in this order. */
  readonly written: number;
  readonly sql: string;
}

/** The name that TypeORM records. */
export const rememberedName = ({ name, written }: Pick<Migration, 'name' | 'written'>): string => `${name}${written}`;

/** The form that TypeORM takes migrations in. There are no down migrations. */
export function migrationClass(migration: Migration): new () => MigrationInterface {
  return class implements MigrationInterface {
    readonly name = rememberedName(migration);

    async up(runner: QueryRunner): Promise<void> {
      await runner.query(migration.sql);
    }

    async down(): Promise<void> {
      throw new Error(`${this.name} cannot be taken back`);
    }
  };
}
