import { READER, readerValues } from '@annals/channels';
import type { Actor } from '@annals/kernel/domain';
import { PLACE_JOIN, VISIBLE_SQL } from '@annals/messages';
import type { ClientBase } from 'pg';

type Reader = Pick<Actor, 'realmId' | 'userId' | 'role' | 'groups'>;

/** Those of these messages that exist and that the account may not read now. */
export async function readHiddenMessages(
  client: ClientBase,
  by: Reader,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const { rows } = await client.query<{ id: number }>({
    name: 'feed-hidden-messages',
    text: `SELECT m.message_id AS id FROM ${READER} CROSS JOIN view.messages AS m ${PLACE_JOIN}
      WHERE m.realm_id = $1 AND m.message_id = ANY($6::int8[]) AND NOT ${VISIBLE_SQL}`,
    values: [...readerValues(by), [...new Set(ids)]],
  });
  return new Set(rows.map(({ id }) => id));
}
