import type { PlacedClientEvent } from '@annals/kernel';
import { definePresenter } from '@annals/kernel';
import type { Position } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';
import type { ReactionEvent } from '../domain/reaction-events';
import { ReactionAdded } from '../domain/reaction-events';
import { presentReaction } from '../read/present-message';
import type { Reached } from '../read/reached';
import { readReached } from '../read/reached';
import { askedOf, hasReached } from './kept-payload';
import type { ReactedPayload } from './reactions.feed';

interface Loaded {
  readonly payloads: ReadonlyMap<Position, Readonly<Record<string, unknown>>>;
  readonly reached: Reached;
}

const payloadOf = ({ payload }: PlacedClientEvent) => payload as unknown as ReactedPayload;

/** contract/messages.md section 7, realtime.md section 6.1 */
export const reactionsPresenter = definePresenter<Loaded>({
  type: 'reaction',
  load: async (reader, events) => {
    const reacted = events.map(payloadOf);
    return {
      payloads: await readPayloads(reader.client, reader.realmId, reacted),
      reached: await readReached(reader, reacted.flatMap(askedOf)),
    };
  },
  present: (event, loaded, { userId }) => {
    const reacted = payloadOf(event);
    const payload = loaded.payloads.get(reacted.position);
    return payload === undefined || !hasReached(reacted, loaded.reached, userId) ? [] : [payload];
  },
  variant: (event, { reached }, { userId }) => String(hasReached(payloadOf(event), reached, userId)),
});

interface Stored {
  readonly position: Position;
  readonly type: string;
  /** JSON of the event. */
  readonly data: string;
  /** Null once it was erased. */
  readonly name: string | null;
}

/** Of messages that have been deleted meanwhile there is nothing to tell. */
async function readPayloads(client: ClientBase, realmId: number, reacted: readonly ReactedPayload[]) {
  const { rows } = await client.query<Stored>({
    name: 'messages-reacted',
    text: `SELECT e.position, e.type, e.data::text AS data, e.sealed->'words'->>'emojiName' AS name FROM events AS e
      WHERE e.realm_id = $1 AND e.position = ANY($2::int8[]) AND EXISTS (SELECT FROM view.messages AS m
        WHERE m.realm_id = e.realm_id AND m.message_id = (e.data->>'messageId')::int8)`,
    values: [realmId, reacted.map(({ position }) => position)],
  });
  return new Map(
    rows.map(({ position, type, data, name }) => {
      const { messageId, userId, reactionType, emojiCode: code } = JSON.parse(data) as ReactionEvent['data'];
      const reaction = { userId, type: reactionType, code, name: name ?? code };
      const op = type === ReactionAdded.type ? 'add' : 'remove';
      return [position, { type: 'reaction', op, message_id: messageId, ...presentReaction(reaction) }];
    }),
  );
}
