import type { Actor, Instant, RealmId, UserId } from '@annals/kernel/domain';
import { Role, isAdministrator, isOwner } from '@annals/kernel/domain';
import type { Pool } from 'pg';
import type { InvitationId, RegistrationId } from '../domain/events';

/** An invitation that can be used. */
export interface InvitationRow {
  readonly id: InvitationId;
  readonly inviterId: UserId;
  readonly isLink: boolean;
  /** Null for a link. */
  readonly email: string | null;
  readonly role: Role;
  readonly notifiesInviter: boolean;
  readonly invitedAt: Instant;
  readonly expiresAt: Instant | null;
}

const COLUMNS = `i.invitation_id AS id, i.inviter_id AS "inviterId", i.is_link AS "isLink", i.email, i.role,
  i.notifies_inviter AS "notifiesInviter", i.invited_at AS "invitedAt", i.expires_at AS "expiresAt"`;

/** Conditions for `view.invitations AS i`. @param now number of the parameter */
const usableSql = (now: string): string => `i.is_usable AND (i.expires_at IS NULL OR i.expires_at > ${now})`;
/** An address that has an account meanwhile cannot join by its invitation. */
const HAS_ACCOUNT_SQL = `EXISTS (SELECT FROM view.users AS u WHERE u.realm_id = i.realm_id AND u.email_key = i.email_key)`;

/**
 * The usable invitations that a user can manage: their own, for administrators all, but those that make owners only for owners.
 * First those for an address, then links.
 */
export async function readManageable(
  pool: Pool,
  realmId: RealmId,
  by: Pick<Actor, 'userId' | 'role'>,
  now: Instant,
): Promise<InvitationRow[]> {
  const { rows } = await pool.query<InvitationRow>({
    name: 'invitations-manageable',
    text: `SELECT ${COLUMNS} FROM view.invitations AS i
      WHERE i.realm_id = $1 AND (i.inviter_id = $2 OR $4 AND ($5 OR i.role <> ${Role.owner}))
        AND ${usableSql('$3')} AND NOT ${HAS_ACCOUNT_SQL}
      ORDER BY i.is_link, i.invitation_id`,
    values: [realmId, by.userId, now, isAdministrator(by), isOwner(by)],
  });
  return rows;
}

/** Whether an invitation can be used, apart from the address. */
export async function isUsable(pool: Pool, realmId: RealmId, id: InvitationId, now: Instant): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'invitations-is-usable',
    text: `SELECT FROM view.invitations AS i WHERE i.realm_id = $1 AND i.invitation_id = $2 AND ${usableSql('$3')}`,
    values: [realmId, id, now],
  });
  return rowCount === 1;
}

/** The usable invitations for an address, the newest first. @param key the address in lower case */
export async function readUsableFor(
  pool: Pool,
  realmId: RealmId,
  key: string,
  now: Instant,
): Promise<readonly InvitationId[]> {
  const { rows } = await pool.query<{ id: InvitationId }>({
    name: 'invitations-usable-for',
    text: `SELECT i.invitation_id AS id FROM view.invitations AS i
      WHERE i.realm_id = $1 AND i.email_key = $2 AND ${usableSql('$3')} ORDER BY i.invitation_id DESC`,
    values: [realmId, key, now],
  });
  return rows.map(({ id }) => id);
}

/** The invitation by which a user joined. Null if there was none. */
export async function readInvitationOf(pool: Pool, realmId: RealmId, userId: UserId): Promise<InvitationId | null> {
  const { rows } = await pool.query<{ id: InvitationId }>({
    name: 'invitations-of-user',
    text: 'SELECT invitation_id AS id FROM view.invitation_joins WHERE realm_id = $1 AND user_id = $2',
    values: [realmId, userId],
  });
  return rows[0]?.id ?? null;
}

/** How many mails with invitations were sent on a day. */
export async function countSent(pool: Pool, realmId: RealmId, day: number): Promise<number> {
  const { rows } = await pool.query<{ sent: number }>({
    name: 'invitations-sent',
    text: 'SELECT sent FROM view.invitation_days WHERE realm_id = $1 AND day = $2',
    values: [realmId, day],
  });
  return rows[0]?.sent ?? 0;
}

/** An invitation that nobody can use any more. */
export interface DeadInvitation {
  readonly realmId: RealmId;
  readonly id: InvitationId;
  readonly reason: 'expired' | 'inviter' | 'joined';
}

/** Invitations that cannot be used any more and have not ended, of all organizations. */
export async function readDead(pool: Pool, now: Instant, limit: number): Promise<DeadInvitation[]> {
  const { rows } = await pool.query<DeadInvitation>({
    name: 'invitations-dead',
    text: `SELECT i.realm_id AS "realmId", i.invitation_id AS id,
        CASE WHEN NOT i.is_usable THEN 'inviter' WHEN i.expires_at <= $1 THEN 'expired' ELSE 'joined' END AS reason
      FROM view.invitations AS i WHERE NOT i.is_usable OR i.expires_at <= $1 OR ${HAS_ACCOUNT_SQL}
      ORDER BY i.realm_id, i.invitation_id LIMIT $2`,
    values: [now, limit],
  });
  return rows;
}

/** Registrations whose time is over, of all organizations. */
export async function readExpiredRegistrations(
  pool: Pool,
  now: Instant,
  limit: number,
): Promise<{ readonly realmId: RealmId; readonly id: RegistrationId }[]> {
  const { rows } = await pool.query<{ realmId: RealmId; id: RegistrationId }>({
    name: 'registrations-expired',
    text: `SELECT realm_id AS "realmId", registration_id AS id FROM view.registrations
      WHERE expires_at <= $1 ORDER BY realm_id, registration_id LIMIT $2`,
    values: [now, limit],
  });
  return rows;
}

/**
 * What the pending registrations of an address came by: a link, or null for none. Those of a link that cannot be used are left out.
 *
 * @param key the address in lower case
 */
export async function readPending(
  pool: Pool,
  realmId: RealmId,
  key: string,
  now: Instant,
): Promise<readonly (InvitationId | null)[]> {
  const { rows } = await pool.query<{ id: InvitationId | null }>({
    name: 'registrations-pending',
    text: `SELECT r.invitation_id AS id FROM view.registrations AS r
      WHERE r.realm_id = $1 AND r.email_key = $2 AND r.expires_at > $3 AND (r.invitation_id IS NULL OR EXISTS (
        SELECT FROM view.invitations AS i
        WHERE i.realm_id = r.realm_id AND i.invitation_id = r.invitation_id AND ${usableSql('$3')}))`,
    values: [realmId, key, now],
  });
  return rows.map(({ id }) => id);
}
