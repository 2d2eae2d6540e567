import type { Actor } from '@annals/kernel/domain';
import { isAdministrator, isGuest } from '@annals/kernel/domain';

/** The reader as a row `r` in the FROM of a query whose first parameters are the realm's id and `readerValues`. */
export const READER = `(SELECT $2::int8 AS user_id, $3::bool AS is_guest, $4::int8[] AS groups,
  $5::bool AS is_administrator) AS r`;

/** The values of `$1` to `$5`. */
export const readerValues = (by: Pick<Actor, 'realmId' | 'userId' | 'role' | 'groups'>): unknown[] => [
  by.realmId,
  by.userId,
  isGuest(by),
  [...by.groups],
  isAdministrator(by),
];

/** `permits` of the kernel for a setting that guests never have. */
const permitsSql = (setting: string): string =>
  `(NOT r.is_guest AND CASE jsonb_typeof(${setting}) WHEN 'number' THEN (${setting})::int8 = ANY(r.groups)
    ELSE ${setting}->'directMembers' @> to_jsonb(r.user_id)
      OR EXISTS (SELECT FROM jsonb_array_elements(${setting}->'directSubgroups') AS g(id)
        WHERE (g.id)::int8 = ANY(r.groups)) END)`;

/**
 * Condition: an account is subscribed to the channel in row `channel` of `view.channels` now.
 *
 * @param user expression for the account's id
 */
export const isSubscribedSql = (channel: string, user = 'r.user_id'): string =>
  `EXISTS (SELECT FROM view.memberships AS own WHERE own.realm_id = ${channel}.realm_id AND own.user_id = ${user}
    AND own.channel_id = ${channel}.channel_id AND own.to_position IS NULL)`;

/**
 * `seesContent` of the domain as a condition on a row of `view.channels` and the reader `r`. Specs test both against
 * each other.
 */
export const seesContentSql = (channel: string, isSubscribed = isSubscribedSql(channel)): string =>
  `(${channel}.is_web_public OR CASE WHEN ${channel}.invite_only
    THEN ${permitsSql(`${channel}.settings->'can_add_subscribers_group'`)}
      OR ${permitsSql(`${channel}.settings->'can_subscribe_group'`)}
    ELSE NOT r.is_guest END OR ${isSubscribed})`;

/** `seesMetadata` of the domain in the same way. */
export const seesMetadataSql = (channel: string, isSubscribed = isSubscribedSql(channel)): string =>
  `(${seesContentSql(channel, isSubscribed)} OR r.is_administrator
    OR ${permitsSql(`${channel}.settings->'can_administer_channel_group'`)})`;
