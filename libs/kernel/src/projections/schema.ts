/**
 * Bookkeeping of read models, for the first migration. Times are milliseconds since the epoch.
 *
 * - `projections`: what is live under which version and generation, what is being built, and what was replaced. One row
 *   per projection or reader of the whole installation, hence no realm.
 * - `projection_checkpoints`: how far background projections, readers and builds have got. Live inline projections have
 *   none: they are where the log is.
 * - `parked_events`: where one of them stopped and why. Its realm stands still until somebody resumes it.
 */
export const PROJECTION_SCHEMA_SQL = `
CREATE SCHEMA view;

CREATE SEQUENCE projection_generations AS int4;

CREATE TABLE projections (
  name text PRIMARY KEY,
  lifecycle text NOT NULL CHECK (lifecycle IN ('inline', 'background', 'reader')),
  version int4,
  generation int4 NOT NULL,
  tables text[] NOT NULL DEFAULT '{}',
  next_version int4,
  next_generation int4,
  next_indexed bool NOT NULL DEFAULT false,
  prev_version int4,
  prev_generation int4,
  changed_at int8 NOT NULL
);

CREATE TABLE projection_checkpoints (
  realm_id int4,
  projection text,
  generation int4,
  position int8 NOT NULL,
  status text NOT NULL CHECK (status IN ('running', 'parked')),
  changed_at int8 NOT NULL,
  PRIMARY KEY (realm_id, projection, generation)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE parked_events (
  realm_id int4,
  projection text,
  generation int4,
  position int8 NOT NULL,
  error text NOT NULL,
  parked_at int8 NOT NULL,
  PRIMARY KEY (realm_id, projection, generation)
);
`;

/**
 * For a migration: the tables of each version have a schema of their own, `view_<projection>_<version>`, and no longer
 * one that all share. So a newer version can be live beside an older one.
 */
export const VERSIONED_SCHEMAS_SQL = `
DO $$
DECLARE
  model record;
  name_of_table text;
  schema_of_version text;
BEGIN
  FOR model IN SELECT name, version, tables FROM projections WHERE lifecycle <> 'reader' AND version IS NOT NULL LOOP
    schema_of_version := format('view_%s_%s', model.name, model.version);
    EXECUTE format('CREATE SCHEMA %I', schema_of_version);
    FOREACH name_of_table IN ARRAY model.tables LOOP
      EXECUTE format('ALTER TABLE view.%I SET SCHEMA %I', name_of_table, schema_of_version);
    END LOOP;
  END LOOP;
END $$;
DROP SCHEMA view;
ALTER TABLE projections DROP COLUMN tables;
`;

/**
 * For a migration: two versions of a read model may be live.
 *
 * - `projections.side_by_side`: so it is with `version` and `next_version`, one of which may be "not at all": a read model
 *   that only one of two releases knows. Both have checkpoints then, inline ones too.
 * - `installation.read_models`: changes whenever what is live does, so that processes notice.
 * - `processes`: who runs, which versions they are written for, and when they said so last.
 */
export const SIDE_BY_SIDE_SQL = `
ALTER TABLE projections ADD COLUMN side_by_side bool NOT NULL DEFAULT false;
ALTER TABLE installation ADD COLUMN read_models int4 NOT NULL DEFAULT 1;
CREATE TABLE processes (id uuid PRIMARY KEY, app text NOT NULL, read_models jsonb NOT NULL, seen_at int8 NOT NULL);
`;

/**
 * Goes first in a transaction that reads several read models, or one and the head, on one snapshot: no version is
 * switched before it ends. Without it a snapshot from just before a switch could meet tables filled just after.
 */
export const HOLD_VERSIONS_SQL = 'LOCK TABLE projection_checkpoints IN ACCESS SHARE MODE';
