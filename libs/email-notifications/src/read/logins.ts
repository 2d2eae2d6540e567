import type { Instant, Position, RealmId, UserId } from '@annals/kernel/domain';
import { accountStream } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';

/** A login of an account. */
export interface Login {
  readonly position: Position;
  readonly at: Instant;
  readonly client: string;
  /** Null if it was erased. */
  readonly address: string | null;
}

/** Types of events that are logins if no account caused them and a request did. */
export const LOGIN_EVENTS = ['users.ApiKeyIssued', 'users.SessionBegan'];
/** The program of acts of the server itself, such as a key that the operator made. */
export const SERVER_PROGRAM = 'annals';

/** The logins of an account up to a position, the oldest first. */
export async function readLogins(pool: Pool, realmId: RealmId, userId: UserId, until: Position): Promise<Login[]> {
  const { rows } = await pool.query<Login>({
    name: 'email-logins',
    text: `SELECT position, at, client, sealed->>'address' AS address FROM events
      WHERE realm_id = $1 AND stream = $2 AND position <= $3 AND type = ANY($4::text[]) AND actor_id IS NULL
        AND client <> $5 ORDER BY position`,
    values: [realmId, accountStream(userId), until, LOGIN_EVENTS, SERVER_PROGRAM],
  });
  return rows;
}

/** The positions of those of some logins that are not the first one of their account. */
export async function readRepeatedLogins(
  client: ClientBase,
  realmId: RealmId,
  logins: readonly { readonly position: Position; readonly stream: string }[],
): Promise<ReadonlySet<Position>> {
  const { rows } = await client.query<{ position: Position }>({
    name: 'email-repeated-logins',
    text: `SELECT n.position FROM unnest($2::int8[], $3::text[]) AS n(position, stream)
      WHERE EXISTS (SELECT FROM events AS e WHERE e.realm_id = $1 AND e.stream = n.stream AND e.position < n.position
        AND e.type = ANY($4::text[]) AND e.actor_id IS NULL AND e.client <> $5)`,
    values: [
      realmId,
      logins.map(({ position }) => position),
      logins.map(({ stream }) => stream),
      LOGIN_EVENTS,
      SERVER_PROGRAM,
    ],
  });
  return new Set(rows.map(({ position }) => position));
}
