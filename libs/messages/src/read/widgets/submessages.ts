import type { MessageId, Position, RealmId, UserId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { MessageWidget } from '../../domain/widgets/widget-text';
import { beginningOf } from '../../domain/widgets/widget-text';

/** What clients make a widget of: how it begins, or one change of it. */
export interface Submessage {
  /** The position of its event; that of the message for how the widget begins. */
  readonly id: number;
  readonly userId: UserId;
  /** JSON. */
  readonly content: string;
}

/** A message of which nothing but the widget is asked. */
interface WithWidget {
  readonly id: MessageId;
  readonly senderId: UserId;
  /** Null for a message that is a text alone. */
  readonly widget: MessageWidget | null;
  readonly text: { readonly content: string | null; readonly zform?: string | null | undefined };
}

/**
 * Reads what clients make the widgets of messages of, in order; messages without a widget are left out, and so are erased
 * texts. Without widgets nothing is read.
 *
 * @param upTo the last position; absent for all changes until now
 */
export async function readSubmessages(
  client: Pool | ClientBase,
  realmId: RealmId,
  messages: readonly WithWidget[],
  upTo: Position = Number.MAX_SAFE_INTEGER as Position,
): Promise<Map<MessageId, Submessage[]>> {
  const widgets = messages.filter(({ widget }) => widget !== null);
  if (widgets.length === 0) return new Map();
  const { rows } = await client.query<Submessage & { messageId: MessageId }>({
    name: 'messages-submessages',
    text: `SELECT s.message_id AS "messageId", s.position AS id, s.user_id AS "userId",
        e.sealed->'words'->>'content' AS content
      FROM view.submessages AS s JOIN events AS e ON e.realm_id = s.realm_id AND e.position = s.position
      WHERE s.realm_id = $1 AND s.message_id = ANY($2::int8[]) AND s.position <= $3 AND e.sealed IS NOT NULL
      ORDER BY s.message_id, s.position`,
    values: [realmId, widgets.map(({ id }) => id), upTo],
  });
  const changes = grouped(
    rows,
    ({ messageId }) => messageId,
    ({ messageId: _, ...submessage }): Submessage => submessage,
  );
  return new Map(widgets.map((message) => [message.id, [...beginning(message), ...(changes.get(message.id) ?? [])]]));
}

/** How widgets begin, without what happened to them since; messages without one are left out. */
export const newWidgets = (messages: readonly WithWidget[]): Map<MessageId, Submessage[]> =>
  new Map(messages.flatMap((message) => (message.widget === null ? [] : [[message.id, beginning(message)] as const])));

function beginning({ id, senderId, widget, text }: WithWidget): Submessage[] {
  if (widget === null || text.content === null) return [];
  const content = widget === 'zform' ? text.zform : JSON.stringify(beginningOf(text.content, widget));
  return !content ? [] : [{ id, userId: senderId, content }];
}
