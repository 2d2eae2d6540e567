import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A step of the schema of what is not derived: the log, checkpoints, secrets, queues. Read models are rebuilt instead. */
export interface Migration {
  /** Says what it brings; with the time it is the name it is remembered by. */
  readonly name: string;
  /** When it was written, in ms since the epoch; migrations run in this order. */
  readonly written: number;
  readonly sql: string;
}

/** The name that TypeORM remembers it by. */
export const rememberedName = ({ name, written }: Pick<Migration, 'name' | 'written'>): string => `${name}${written}`;

/** The form TypeORM takes migrations in. There is no way back: history is not taken back. */
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
