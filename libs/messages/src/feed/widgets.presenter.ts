import type { Position, RealmId } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';
import type { WidgetEvent } from '../domain/widgets/widget-events';
import { presentSubmessage } from '../read/content/present-message';
import { activityPresenter } from './activities';

interface Stored {
  readonly position: Position;
  /** JSON of the event. */
  readonly data: string;
  readonly content: string;
}

/** Changes of messages that were deleted meanwhile are left out. */
async function readPayloads(client: ClientBase, realmId: RealmId, positions: readonly Position[]) {
  const { rows } = await client.query<Stored>({
    name: 'messages-widgets-changed',
    text: `SELECT e.position, e.data::text AS data, e.sealed->'words'->>'content' AS content FROM events AS e
      WHERE e.realm_id = $1 AND e.position = ANY($2::int8[]) AND e.sealed IS NOT NULL AND EXISTS (
        SELECT FROM view.messages AS m
        WHERE m.realm_id = e.realm_id AND m.message_id = (e.data->>'messageId')::int8)`,
    values: [realmId, positions],
  });
  return new Map(
    rows.map(({ position, data, content }) => {
      const { messageId, userId } = JSON.parse(data) as WidgetEvent['data'];
      const { id: submessage_id, ...fields } = presentSubmessage(messageId, { id: position, userId, content });
      return [position, { type: 'submessage', ...fields, submessage_id }] as const;
    }),
  );
}

/** contract/realtime.md section 6.1 */
export const widgetsPresenter = activityPresenter('submessage', readPayloads);
