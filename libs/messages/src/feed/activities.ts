import type { PositionedClientEvent } from '@annals/kernel';
import { defineFeed, definePresenter, translate } from '@annals/kernel';
import type { ClientEvent, EventDefinition, Fact, Position, RealmId, Recorded } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';
import type { ActivityFacts, MessageActivity } from './move/message-activity';
import { audienceOf } from './move/message-activity';
import { readActivities } from './move/read-activities';

/** An event about one message. */
type MessageFact = Fact<string, MessageActivity['data']>;
type ActivityDefinition = EventDefinition<string, MessageActivity['data']>;

/** What is stored of a client event; the rest is read from the log when it is delivered. */
interface ActivityPayload {
  readonly position: Position;
}

/** Payloads by position of the event; events of deleted messages are left out. */
type Payloads = ReadonlyMap<Position, Readonly<Record<string, unknown>>>;

/** A feed of client events about single messages, for the users who have the message. @param type of the client events */
export function activityFeed(name: string, type: string, definitions: readonly ActivityDefinition[]) {
  const toEvents = (event: MessageActivity, facts: ActivityFacts): ClientEvent[] => {
    const audience = audienceOf(event, facts);
    return audience ? [{ type, audience, payload: { position: event.position } }] : [];
  };
  return defineFeed({
    name,
    facts: (reader, events) => readActivities(reader, events as readonly Recorded<MessageFact>[]),
    translations: definitions.map((definition) => translate(definition, toEvents)),
  });
}

/** The presenter of the client events of such a feed. They are the same for everybody. */
export const activityPresenter = (
  type: string,
  read: (client: ClientBase, realmId: RealmId, positions: readonly Position[]) => Promise<Payloads>,
) =>
  definePresenter<Payloads>({
    type,
    load: ({ client, realmId }, events) => read(client, realmId, events.map(positionOf)),
    present: (event, loaded) => {
      const payload = loaded.get(positionOf(event));
      return payload === undefined ? [] : [payload];
    },
    variant: () => '',
  });

const positionOf = ({ payload }: PositionedClientEvent) => (payload as unknown as ActivityPayload).position;
