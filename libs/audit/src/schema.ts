import type { Migration } from '@annals/kernel';
import type { ClientBase } from 'pg';

/**
 * What was signed about the logs.
 *
 * - `audit_checkpoints`: the signed notes. A size has one note, which is repeated each hour in which nothing happened.
 * - `audit_cosignatures`: the signature lines of witnesses, by the URL that each was asked at.
 */
const SQL = `
CREATE TABLE audit_checkpoints (
  realm_id int4,
  size int8,
  at int8,
  note text NOT NULL,
  PRIMARY KEY (realm_id, size, at)
);
CREATE INDEX audit_checkpoints_by_time ON audit_checkpoints (realm_id, at);

CREATE TABLE audit_cosignatures (
  realm_id int4,
  witness text,
  size int8,
  at int8 NOT NULL,
  lines text NOT NULL,
  PRIMARY KEY (realm_id, witness, size)
);
CREATE INDEX audit_cosignatures_by_size ON audit_cosignatures (realm_id, size);
`;

export const auditMigrations: readonly Migration[] = [{ name: 'AuditCheckpoints', written: 1795651200001, sql: SQL }];

/** Deletes what is about positions that a restore removed from the logs. Trees that reach beyond are built again. */
export async function discardCheckpointsBeyond(client: ClientBase): Promise<string> {
  for (const table of ['audit_checkpoints', 'audit_cosignatures'])
    await client.query(
      `DELETE FROM ${table} c USING realm_heads h WHERE c.realm_id = h.realm_id AND c.size > h.position`,
    );
  const { rowCount } = await client.query(
    `WITH beyond AS (DELETE FROM tree_sizes s USING realm_heads h
       WHERE s.realm_id = h.realm_id AND s.size > h.position RETURNING s.realm_id)
     DELETE FROM tree_tiles t USING beyond b WHERE t.realm_id = b.realm_id`,
  );
  return `${rowCount ?? 0} tiles beyond the ends of the logs dropped`;
}
