/** Number of partitions of the log. It is fixed in the first migration, because a change would rewrite the log. */
const PARTITIONS = 16;

const partitions = Array.from(
  { length: PARTITIONS },
  (_, n) => `CREATE TABLE events_${n} PARTITION OF events FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER ${n});`,
).join('\n');

/** The log and the tables beside it (docs/event-log.md). */
export const LOG_SCHEMA_SQL = `
CREATE TABLE installation (id uuid PRIMARY KEY DEFAULT gen_random_uuid());
INSERT INTO installation DEFAULT VALUES;

CREATE TABLE realm_heads (
  realm_id int4 PRIMARY KEY,
  position int8 NOT NULL,
  at int8 NOT NULL
) WITH (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200,
        autovacuum_vacuum_cost_delay = 0);

CREATE SEQUENCE realm_ids AS int4;

CREATE TABLE events (
  realm_id int4 NOT NULL,
  position int8 NOT NULL,
  stream text NOT NULL,
  version int4 NOT NULL,
  type text NOT NULL,
  v int2 NOT NULL,
  actor_id int8,
  command_id uuid NOT NULL,
  correlation uuid NOT NULL,
  causation text,
  client text NOT NULL,
  at int8 NOT NULL,
  data json NOT NULL,
  sealed json,
  salt bytea,
  commitment bytea,
  leaf_hash bytea NOT NULL,
  PRIMARY KEY (realm_id, position),
  UNIQUE (realm_id, stream, version)
) PARTITION BY HASH (realm_id);
${partitions}

CREATE FUNCTION refuse_rewriting_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.sealed IS NULL AND NEW.salt IS NULL AND OLD.commitment IS NOT NULL
     AND (to_jsonb(NEW) - 'sealed' - 'salt') = (to_jsonb(OLD) - 'sealed' - 'salt') THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the log is append-only: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER events_are_history BEFORE UPDATE OR DELETE ON events
  FOR EACH ROW EXECUTE FUNCTION refuse_rewriting_history();
CREATE TRIGGER events_are_not_truncated BEFORE TRUNCATE ON events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting_history();

CREATE TABLE secrets (
  realm_id int4 NOT NULL,
  id text NOT NULL,
  kind text NOT NULL,
  value bytea NOT NULL,
  used_at int8,
  PRIMARY KEY (realm_id, id)
);
CREATE INDEX secrets_by_value ON secrets (realm_id, kind, value);

CREATE TABLE id_counters (
  realm_id int4 NOT NULL,
  kind text NOT NULL,
  last int8 NOT NULL,
  PRIMARY KEY (realm_id, kind)
);
`;
