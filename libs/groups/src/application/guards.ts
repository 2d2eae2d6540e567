import type { Guard } from '@annals/kernel';

/**
 * No group has this name, also no deactivated one. The key is the name. A command that sets a name declares it as
 * changed.
 */
export const groupNameFree: Guard = {
  name: 'group-name-free',
  failing: `SELECT k.ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS k(realm_id, key, ord)
    WHERE EXISTS (SELECT FROM view.user_groups AS g WHERE g.realm_id = k.realm_id AND g.name = k.key)`,
};
