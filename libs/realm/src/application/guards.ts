import type { Guard } from '@annals/kernel';

/** No active custom emoji has this name. The key is the name. A command that adds one declares it. */
export const emojiNameFree: Guard = {
  name: 'emoji-name-free',
  failing: `SELECT k.ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS k(realm_id, key, ord)
    WHERE EXISTS (SELECT FROM view.realm_emoji AS e
      WHERE e.realm_id = k.realm_id AND e.name = k.key AND e.deactivated_position IS NULL)`,
};
