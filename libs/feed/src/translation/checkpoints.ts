import type { Pool } from 'pg';
import type { Position, RealmId } from '@annals/kernel/domain';
import { CLIENT_EVENTS } from './client-events-reader';

/** How far realms have been translated. */
export class Checkpoints {
  constructor(private readonly pool: Pool) {}

  /** A realm that is missing has not been started. */
  async of(realms: readonly RealmId[]): Promise<Map<RealmId, Position>> {
    const { rows } = await this.pool.query<{ realm_id: RealmId; position: Position }>({
      name: 'feed-checkpoints',
      text: 'SELECT realm_id, position FROM projection_checkpoints WHERE projection = $1 AND realm_id = ANY($2::int4[])',
      values: [CLIENT_EVENTS, realms],
    });
    return new Map(rows.map((row) => [row.realm_id, row.position]));
  }
}
