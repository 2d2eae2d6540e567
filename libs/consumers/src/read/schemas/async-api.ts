import { plainSchema } from '@annals/audit';
import type { TSchema } from '@annals/kernel/domain';
import type { EventSchema, EventSchemas } from './event-schemas';

/** Where the document says that the feed is. */
export interface FeedAddress {
  /** Canonical address of the organization. */
  readonly url: string;
  /** Where the schemas of events are. */
  readonly schemas: string;
  /** Version of the interface. */
  readonly version: string;
}

const ref = (path: string) => ({ $ref: `#/${path}` });
const ABOUT =
  'The log of an organization for other systems. Consumers get events at least once, in the order of each key.';
/** The media type of an event in structured mode. */
const STRUCTURED = 'application/cloudevents+json';

/**
 * The AsyncAPI 3 document of the event feed: a channel for each view, with a message for each type of event.
 *
 * @param cloudEvent the shape of all events
 */
export function asyncApi(
  schemas: EventSchemas,
  cloudEvent: TSchema,
  { url, schemas: address, version }: FeedAddress,
): object {
  return {
    asyncapi: '3.0.0',
    info: { title: 'Annals: the event feed', version, description: ABOUT },
    defaultContentType: STRUCTURED,
    servers: { api: serverOf(url) },
    channels: {
      domain: channelOf('Events of the log', [...schemas.domain.values()]),
      client: channelOf('Client events of the owner', [...schemas.client.values()]),
    },
    operations: {
      sendDomainEvents: operationOf('domain', 'Offers the events of the log to a consumer of the view domain.'),
      sendClientEvents: operationOf('client', 'Offers client events to a consumer of the view client.'),
    },
    components: componentsOf([...schemas.domain.values(), ...schemas.client.values()], cloudEvent, address),
  };
}

function serverOf(url: string) {
  const { protocol, host } = new URL(url);
  const security = [ref('components/securitySchemes/apiKey')];
  return { host, protocol: protocol.replace(':', ''), pathname: '/api/v1', security };
}

const componentsOf = (all: readonly EventSchema[], cloudEvent: TSchema, address: string) => ({
  messages: Object.fromEntries(all.map((schema) => [schema.name, messageOf(schema, address)])),
  schemas: {
    CloudEvent: withoutId(plainSchema(cloudEvent)),
    ...Object.fromEntries(all.map(({ name, data }) => [name, data])),
  },
  securitySchemes: { apiKey: { type: 'http', scheme: 'basic', description: 'Email address and API key.' } },
});

const channelOf = (title: string, schemas: readonly EventSchema[]) => ({
  address: '/feed/consumers/{name}/events',
  title,
  parameters: { name: { description: 'Name of the consumer.' } },
  messages: Object.fromEntries(schemas.map(({ name }) => [name, ref(`components/messages/${name}`)])),
});

const operationOf = (channel: string, summary: string) => ({
  action: 'send',
  channel: ref(`channels/${channel}`),
  summary,
});

const messageOf = ({ name, meaning }: EventSchema, address: string) => ({
  name: `annals.${name}`,
  title: name,
  summary: meaning,
  contentType: STRUCTURED,
  payload: {
    allOf: [
      ref('components/schemas/CloudEvent'),
      {
        type: 'object',
        properties: {
          type: { const: `annals.${name}` },
          dataschema: { const: `${address}/${name}` },
          data: ref(`components/schemas/${name}`),
        },
      },
    ],
  },
});

/** The name that the reference of the API has for a shape is no id of a schema. */
function withoutId(schema: object): object {
  const { $id: _, ...rest } = schema as { readonly $id?: unknown };
  return rest;
}
