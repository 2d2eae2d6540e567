import { overlapsSql } from '@annals/kernel';
import type { Position, RealmId, Role, Span } from '@annals/kernel/domain';
import { covers, isGuest } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { Realm } from '../domain/realm';

/**
 * Whether a user of this role is a restricted guest, who sees only users of their channels and conversations
 * (contract/permissions.md section 7).
 */
export const isRestricted = (
  { role }: { readonly role: Role },
  { settings, systemGroups }: Pick<NonNullable<Realm>, 'settings' | 'systemGroups'>,
): boolean => isGuest({ role }) && settings.can_access_all_users_group !== systemGroups.everyone;

/** Query: the stretches of the log in which guests of an organization were restricted, with its `realm_id`. */
export const RESTRICTIONS = `SELECT s.realm_id, s.from_position, s.to_position FROM view.sight_spans AS s
  JOIN view.realms AS r ON r.realm_id = s.realm_id
  WHERE s.group_id IS DISTINCT FROM (r.system_groups->>'everyone')::int8`;

/** Whether guests were restricted right after the event at a position. */
export type RestrictedAt = (position: Position) => boolean;

/** Reads only whether guests were restricted at positions of a stretch of the log. */
export async function readRestrictedAt(
  client: Pool | ClientBase,
  realmId: RealmId,
  from: Position,
  to: Position,
): Promise<RestrictedAt> {
  const { rows } = await client.query<Span>({
    name: 'realm-restrictions',
    text: `SELECT x.from_position AS from, x.to_position AS to FROM (${RESTRICTIONS}) AS x WHERE x.realm_id = $1
      AND ${overlapsSql('x', '$2', '$3')}`,
    values: [realmId, from, to],
  });
  return (position) => covers(rows, position);
}
