import type { DueSearch } from '@annals/kernel';
import type { Position, RealmId, UserId } from '@annals/kernel/domain';
import type { Pool } from 'pg';

/** An order of a deleted account: which of its messages to delete. */
export interface OrphanedOrder {
  readonly realmId: RealmId;
  /** Position of the order; it does not apply to later messages. */
  readonly position: Position;
  readonly senderId: UserId;
  readonly inPublicChannels: boolean;
  readonly inPrivateChannels: boolean;
  readonly direct: boolean;
}

/** Organizations with orders that are not done. */
export const REALMS_WITH_ORPHANED_ORDERS: DueSearch = {
  name: 'orphaned-messages',
  sql: 'SELECT DISTINCT o.realm_id AS id FROM view.disowned_messages AS o',
};

/** The orders of all organizations that are not done. */
export async function readOrphanedOrders(pool: Pool): Promise<OrphanedOrder[]> {
  const { rows } = await pool.query<OrphanedOrder>({
    name: 'messages-orphaned-orders',
    text: `SELECT realm_id AS "realmId", position, sender_id AS "senderId", in_public_channels AS "inPublicChannels",
      in_private_channels AS "inPrivateChannels", direct FROM view.disowned_messages ORDER BY realm_id, position`,
  });
  return rows;
}
