import type { Pool } from 'pg';

/** Makes PostgreSQL take ten milliseconds for each batch with notes, so that a lane has time to plan the next one. */
export async function slowNotes(pool: Pool): Promise<void> {
  await pool.query(`
    CREATE FUNCTION take_time() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.01); RETURN NULL; END $$;
    CREATE TRIGGER takes_time AFTER INSERT ON view.toy_notes FOR EACH STATEMENT EXECUTE FUNCTION take_time()`);
}
