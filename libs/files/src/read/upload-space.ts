import type { Position, RealmId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';

/**
 * The bytes used by the organization's files at positions, in the order given. Computed backwards from the present sum,
 * so that the cost depends on the events since.
 */
export async function uploadSpaceAt(
  client: Pool | ClientBase,
  realmId: RealmId,
  positions: readonly Position[],
): Promise<number[]> {
  const { rows } = await client.query<{ used: number }>({
    name: 'files-upload-space',
    text: `SELECT (coalesce((SELECT s.used FROM view.upload_space AS s WHERE s.realm_id = $1 AND s.scope = 'files'), 0)
        - coalesce((SELECT sum(f.size) FROM view.files AS f WHERE f.realm_id = $1 AND f.file_id > p.position), 0)
        + coalesce((SELECT sum(f.size) FROM view.files AS f WHERE f.realm_id = $1 AND f.deleted > p.position), 0)
      )::int8 AS used FROM unnest($2::int8[]) WITH ORDINALITY AS p(position, ord) ORDER BY p.ord`,
    values: [realmId, positions],
  });
  return rows.map(({ used }) => used);
}
