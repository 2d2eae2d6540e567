import type { ClientBase, Pool } from 'pg';
import type { SinkTarget } from '../../domain/sink/sink-target';
import type { ConsumerRow } from '../consumer-row';

/** Where the events of a consumer are stored now. Null if it has no sink, or the addresses were erased. */
export async function readSinkTarget(
  client: Pool | ClientBase,
  { realmId, id }: Pick<ConsumerRow, 'realmId' | 'id'>,
): Promise<SinkTarget | null> {
  const { rows } = await client.query<SinkTarget>({
    name: 'consumers-sink-target',
    text: `SELECT kind, servers, stream, subject_prefix AS "subjectPrefix", credentials
      FROM view.consumer_sinks WHERE realm_id = $1 AND consumer_id = $2`,
    values: [realmId, id],
  });
  const target = rows[0];
  return target && target.servers.length > 0 ? target : null;
}
