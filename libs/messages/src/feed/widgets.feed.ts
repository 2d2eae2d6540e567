import { defineFeed, translate } from '@annals/kernel';
import type { ClientEvent, Position, Recorded } from '@annals/kernel/domain';
import type { WidgetEvent } from '../domain/widgets/widget-events';
import { WIDGET_EVENTS } from '../domain/widgets/widget-events';
import type { ActivityFacts } from './move/message-activity';
import { audienceOf } from './move/message-activity';
import { readActivities } from './move/read-activities';

/** Payload of `submessage` events; the rest is read from the log when they are delivered. */
export interface SubmessagePayload {
  readonly position: Position;
}

function toEvents(event: Recorded<WidgetEvent>, facts: ActivityFacts): ClientEvent[] {
  const audience = audienceOf(event, facts);
  if (!audience) return [];
  const payload: SubmessagePayload = { position: event.position };
  return [{ type: 'submessage', audience, payload: { ...payload } }];
}

/** Changes of polls and to-do lists (contract/realtime.md section 6). */
export const widgetsFeed = defineFeed({
  name: 'widgets',
  facts: (reader, events) => readActivities(reader, events as readonly Recorded<WidgetEvent>[]),
  translations: WIDGET_EVENTS.map((definition) => translate(definition, toEvents)),
});
