import type { Position, RealmId, UserId } from '@annals/kernel/domain';
import type { Pool } from 'pg';

/** What somebody who left wanted to be deleted of the messages they had sent by then. */
export interface Disowned {
  readonly realmId: RealmId;
  /** Position of the order; later messages are not meant. */
  readonly position: Position;
  readonly senderId: UserId;
  readonly inPublicChannels: boolean;
  readonly inPrivateChannels: boolean;
  readonly direct: boolean;
}

/** The orders of all organizations that are not carried out yet. */
export async function readDisowned(pool: Pool): Promise<Disowned[]> {
  const { rows } = await pool.query<Disowned>({
    name: 'messages-disowned',
    text: `SELECT realm_id AS "realmId", position, sender_id AS "senderId", in_public_channels AS "inPublicChannels",
      in_private_channels AS "inPrivateChannels", direct FROM view.disowned_messages ORDER BY realm_id, position`,
  });
  return rows;
}
