import { defineFeed, translate } from '@annals/kernel';
import type { ClientEvent, Position, Recorded } from '@annals/kernel/domain';
import type { ReactionEvent } from '../domain/reaction/reaction-events';
import { ReactionAdded, ReactionRemoved } from '../domain/reaction/reaction-events';
import type { ActivityFacts } from './move/message-activity';
import { audienceOf } from './move/message-activity';
import { readActivities } from './move/read-activities';

/** Payload of `reaction` events; the rest is read from the log when they are delivered. */
export interface ReactedPayload {
  readonly position: Position;
}

function toEvents(event: Recorded<ReactionEvent>, facts: ActivityFacts): ClientEvent[] {
  const audience = audienceOf(event, facts);
  if (!audience) return [];
  const payload: ReactedPayload = { position: event.position };
  return [{ type: 'reaction', audience, payload: { ...payload } }];
}

/** Reactions that are added or removed (contract/messages.md section 7). */
export const reactionsFeed = defineFeed({
  name: 'reactions',
  facts: (reader, events) => readActivities(reader, events as readonly Recorded<ReactionEvent>[]),
  translations: [translate(ReactionAdded, toEvents), translate(ReactionRemoved, toEvents)],
});
