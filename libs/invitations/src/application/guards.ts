import type { Guard } from '@annals/kernel';

/** The part of a key that other appends know. */
const dayIn = (key: string): string => key.slice(0, key.indexOf(':'));

/** @param most how many mails may have been sent on the day before this append */
export const roomKey = (day: number, most: number): string => `${day}:${most}`;

/**
 * Key: a day, and how many mails with invitations may have been sent on it (`roomKey`). Fails when there were more. A
 * command that sends some declares the day as changed.
 */
export const invitationRoom: Guard = {
  name: 'invitation-room',
  failing: `SELECT k.ord::int4 AS ord FROM (SELECT realm_id, split_part(key, ':', 1)::int4 AS day,
      split_part(key, ':', 2)::int8 AS most, ord
      FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS u(realm_id, key, ord)) AS k
    WHERE EXISTS (SELECT FROM view.invitation_days AS d
      WHERE d.realm_id = k.realm_id AND d.day = k.day AND d.sent > k.most)`,
  concerns: dayIn,
};
