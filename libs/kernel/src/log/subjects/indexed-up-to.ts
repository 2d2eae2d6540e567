import type { ClientBase, Pool } from 'pg';
import type { RealmId } from '../../domain/index';
import { SUBJECT_INDEX } from './subject-index';

/** The position up to which the index of subjects has followed the log. */
export async function readIndexedUpTo(client: Pool | ClientBase, realmId: RealmId): Promise<number> {
  const { rows } = await client.query<{ position: number }>({
    name: 'trail-indexed',
    text: `SELECT c.position FROM projections AS p JOIN projection_checkpoints AS c
        ON c.projection = p.name AND c.realm_id = $1 AND c.generation = CASE WHEN p.version = $3 THEN p.generation
          WHEN p.side_by_side AND p.next_version = $3 THEN p.next_generation END
      WHERE p.name = $2`,
    values: [realmId, SUBJECT_INDEX.name, SUBJECT_INDEX.version],
  });
  return rows[0]?.position ?? 0;
}
