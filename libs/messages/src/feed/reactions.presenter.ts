import type { Position, RealmId } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';
import type { ReactionEvent } from '../domain/reaction/reaction-events';
import { ReactionAdded } from '../domain/reaction/reaction-events';
import { presentReaction } from '../read/content/present-message';
import { activityPresenter } from './activities';

interface Stored {
  readonly position: Position;
  readonly type: string;
  /** JSON of the event. */
  readonly data: string;
  /** Null after it was erased. */
  readonly name: string | null;
}

/** Messages that were deleted meanwhile are left out. */
async function readPayloads(client: ClientBase, realmId: RealmId, positions: readonly Position[]) {
  const { rows } = await client.query<Stored>({
    name: 'messages-reacted',
    text: `SELECT e.position, e.type, e.data::text AS data, e.sealed->'words'->>'emojiName' AS name FROM events AS e
      WHERE e.realm_id = $1 AND e.position = ANY($2::int8[]) AND EXISTS (SELECT FROM view.messages AS m
        WHERE m.realm_id = e.realm_id AND m.message_id = (e.data->>'messageId')::int8)`,
    values: [realmId, positions],
  });
  return new Map(
    rows.map(({ position, type, data, name }) => {
      const { messageId, userId, reactionType, emojiCode: code } = JSON.parse(data) as ReactionEvent['data'];
      const reaction = { userId, type: reactionType, code, name: name ?? code };
      const op = type === ReactionAdded.type ? 'add' : 'remove';
      return [position, { type: 'reaction', op, message_id: messageId, ...presentReaction(reaction) }] as const;
    }),
  );
}

/** contract/messages.md section 7, realtime.md section 6.1 */
export const reactionsPresenter = activityPresenter('reaction', readPayloads);
