import type { Guard } from '@annals/kernel';
import type { MessageId } from '@annals/kernel/domain';

/** Key of one message. */
export const messageKey = (id: MessageId): string => String(id);

/**
 * The message is there; key is its id (`messageKey`). Whoever deletes messages declares their keys as changed, so that
 * nothing is added to what is gone.
 */
export const messageThere: Guard = {
  name: 'message-there',
  failing: `SELECT k.ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS k(realm_id, key, ord)
    WHERE NOT EXISTS (SELECT FROM view.messages AS m WHERE m.realm_id = k.realm_id AND m.message_id = k.key::int8)`,
};
