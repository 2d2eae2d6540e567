import { USE_RESOLUTION_MS } from './known-api-keys';

/**
 * Ids of active accounts that did something at a time or later, and of all active bots: a subquery with the column
 * `user_id`. Whatever an account does, also waiting for events, it does with a key, and the use of a key is stored once
 * an hour (`KnownApiKeys`). So no account that was active since then is missing, and some were active up to an hour
 * before.
 *
 * @param realm expression for the organization's id
 * @param since expression for the time in ms
 */
export const activeSinceSql = (realm: string, since: string): string => `(SELECT u.user_id FROM view.users AS u
  WHERE u.realm_id = ${realm} AND u.is_active AND (u.bot_type IS NOT NULL OR u.user_id IN (
    SELECT k.user_id FROM view.api_keys AS k
    JOIN secrets AS s ON s.realm_id = k.realm_id AND s.id = 'api-key-' || k.key_id
    WHERE k.realm_id = ${realm} AND s.used_at >= ${since} - ${USE_RESOLUTION_MS})))`;
