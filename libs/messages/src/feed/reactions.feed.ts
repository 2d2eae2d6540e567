import type { FeedReader } from '@annals/kernel';
import { defineFeed, translate } from '@annals/kernel';
import type { ClientEvent, Position, Recorded, UserId } from '@annals/kernel/domain';
import type { ReactionEvent } from '../domain/reaction-events';
import { ReactionAdded, ReactionRemoved } from '../domain/reaction-events';
import type { Places } from '../read/places';
import { readPlaces } from '../read/places';
import { reactingOutsiders } from '../read/reactions';
import { stillReading } from './audiences';
import { readKeptHistory } from './kept-history';
import type { KeptHistory, KeptPayload } from './kept-payload';
import { keptOf } from './kept-payload';
import { receiversOf } from './messages.feed';

/** What `reaction` events carry: the event of the log says the rest when they are delivered. */
export interface ReactedPayload extends KeptPayload {
  readonly position: Position;
}

interface Facts {
  readonly places: Places;
  readonly outsiders: ReadonlyMap<Position, readonly UserId[]>;
  readonly kept: ReadonlyMap<Position, KeptHistory>;
}

const told = (
  { data: { messageId }, position }: Recorded<ReactionEvent>,
  { places, outsiders, kept }: Facts,
): ClientEvent[] => {
  const at = places.at(messageId, position);
  if (!at) return [];
  const people = [at.senderId, ...at.called, ...(outsiders.get(position) ?? [])];
  const of = receiversOf(at.place, people).map((those) => stillReading(those, at.place));
  const payload: ReactedPayload = { messageId, position, ...keptOf(messageId, kept.get(position)) };
  return [{ type: 'reaction', audience: { kind: 'any', of }, payload: { ...payload } }];
};

/** Reactions as clients see them come and go (contract/messages.md section 7). */
export const reactionsFeed = defineFeed({
  name: 'reactions',
  facts: async (reader: FeedReader, events): Promise<Facts> => {
    const { client, realmId } = reader;
    const reactions = events as readonly Recorded<ReactionEvent>[];
    const ids = [...new Set(reactions.map(({ data }) => data.messageId))];
    const places = await readPlaces(client, realmId, ids);
    const inChannels = reactions.flatMap(({ data: { messageId }, position }) => {
      const place = places.at(messageId, position)?.place;
      return place && 'channelId' in place ? [{ position, messageId, channelId: place.channelId }] : [];
    });
    return {
      places,
      outsiders: await reactingOutsiders(client, realmId, inChannels),
      kept: await readKeptHistory(reader, reactions, [], new Map(), places),
    };
  },
  translations: [translate(ReactionAdded, told), translate(ReactionRemoved, told)],
});
