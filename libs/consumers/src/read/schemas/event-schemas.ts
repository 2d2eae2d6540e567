import { DIALECT, TrailEntries, plainSchema } from '@annals/audit';
import { Kernel } from '@annals/kernel';
import { Injectable } from '@nestjs/common';
import { reject } from '../../domain/rejections';
import { CLIENT_VERSION } from '../reading/cloud-event';

/** A type of event that consumers may get, with the shape of its `data` (contract/feed.md section 3). */
export interface EventSchema {
  /** As `dataschema` names it: `messages.MessageSent.v2`, or `client.reaction.v1`. */
  readonly name: string;
  /** What it means that such an event happened. */
  readonly meaning: string;
  /** A JSON Schema, version 2020-12, without its dialect and id. */
  readonly data: object;
}

/** The schemas of all events that consumers may get, made from the declarations that the log checks. */
@Injectable()
export class EventSchemas {
  /** Events of the log, by the names of their schemas. */
  readonly domain: ReadonlyMap<string, EventSchema>;
  /** Client events, in the same way. */
  readonly client: ReadonlyMap<string, EventSchema>;

  constructor({ registry, options }: Kernel, { descriptions }: TrailEntries) {
    const domain = [...registry.types].sort().map((type): EventSchema => {
      const { v, data, sealed } = registry.definition(type);
      const words = sealed === null ? { type: 'null' } : { anyOf: [plainSchema(sealed), { type: 'null' }] };
      return {
        name: `${type}.v${v}`,
        meaning: descriptions.get(type)?.meaning ?? '',
        data: objectOf({ facts: plainSchema(data), words }),
      };
    });
    const presented = new Set(options.contexts.flatMap(({ presenters }) => presenters.map(({ type }) => type)));
    this.domain = byName(domain);
    this.client = byName([...presented].sort().map(clientSchema));
  }

  /** The document of a schema. @param schemas where they are @throws Rejected NOT_FOUND */
  document(name: string, schemas: string): object {
    const schema = this.domain.get(name) ?? this.client.get(name);
    if (!schema) throw reject.noSuchSchema({ schema: name });
    const { meaning, data } = schema;
    return { $schema: DIALECT, $id: `${schemas}/${name}`, title: name, description: meaning, ...data };
  }
}

/** Client events have the form that a queue gives them, which depends on their type and `op`. */
const clientSchema = (type: string): EventSchema => ({
  name: `client.${type}.v${CLIENT_VERSION}`,
  meaning: `An event of the type '${type}', as a queue of POST /register gives it.`,
  data: {
    type: 'object',
    properties: { id: { type: 'integer' }, type: { const: type }, op: { type: 'string' } },
    required: ['id', 'type'],
  },
});

const objectOf = (properties: Readonly<Record<string, object>>): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const byName = (schemas: readonly EventSchema[]): Map<string, EventSchema> =>
  new Map(schemas.map((schema) => [schema.name, schema]));
