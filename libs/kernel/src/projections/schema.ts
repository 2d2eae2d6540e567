/**
 * Tables of the state of read models, for the first migration. Times are ms since the epoch.
 *
 * - `projections`: the live version and generation, the one in a build, and the replaced one. One row per projection or
 *   reader of the whole installation, and so without a realm.
 * - `projection_checkpoints`: the positions of background projections, readers and builds. Live inline projections have
 *   none, as they are always at the head.
 * - `parked_events`: where a follower stopped, and why. Its realm is not followed until an operator resumes it.
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
 * For a migration: the tables of each version have their own schema, `view_<projection>_<version>`, instead of a shared
 * one. So a newer version can be live beside an older one.
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
 * - `projections.side_by_side`: whether `version` and `next_version` are both live. One of them may be "not at all",
 *   for a read model that only one of two releases has. Both have checkpoints then, also inline ones.
 * - `installation.read_models`: changes with the set of live read models, so that processes notice.
 * - `processes`: the running processes, the versions that they need, and when they announced themselves last.
 */
export const SIDE_BY_SIDE_SQL = `
ALTER TABLE projections ADD COLUMN side_by_side bool NOT NULL DEFAULT false;
ALTER TABLE installation ADD COLUMN read_models int4 NOT NULL DEFAULT 1;
CREATE TABLE processes (id uuid PRIMARY KEY, app text NOT NULL, read_models jsonb NOT NULL, seen_at int8 NOT NULL);
`;

/**
 * The first statement of a transaction that reads several read models, or one and the head, on one snapshot: no version
 * is switched before it ends. Otherwise a snapshot from just before a switch may read tables that were filled just
 * after it.
 */
export const HOLD_VERSIONS_SQL = 'LOCK TABLE projection_checkpoints IN ACCESS SHARE MODE';
