import { Readable } from 'node:stream';
import type { Actor } from '@annals/kernel/domain';
import { SERVER_VERSION } from '@annals/realm';
import { By, Bytes, Endpoint, Params, PathText } from '@annals/web';
import { Controller } from '@nestjs/common';
import { SchemaAddress } from '../read/reading/schema-address';
import { asyncApi } from '../read/schemas/async-api';
import { EventSchemas } from '../read/schemas/event-schemas';
import { cloudEventShape } from './shapes';

export class SchemaParams {
  @PathText({ about: 'As `dataschema` of an event names it: `messages.MessageSent.v2`.' }) schema: string;
}

@Controller()
export class SchemasController {
  constructor(
    private readonly schemas: EventSchemas,
    private readonly address: SchemaAddress,
  ) {}

  /** contract/feed.md section 3 */
  @Endpoint('GET', 'feed/schemas/:schema', {
    audience: 'anyone',
    section: 'feed 3',
    summary: 'The JSON Schema of the data of a type of event',
    bytes: true,
    returns: null,
  })
  async schema(@By() by: Actor, @Params(SchemaParams) { schema }: SchemaParams) {
    const address = await this.address.of(by.realmId);
    return documentOf('application/schema+json', this.schemas.document(schema, address));
  }

  /** contract/feed.md section 3 */
  @Endpoint('GET', 'feed/asyncapi', {
    audience: 'anyone',
    section: 'feed 3',
    summary: 'The AsyncAPI document of the event feed',
    bytes: true,
    returns: null,
  })
  async asyncApi(@By() by: Actor) {
    const [url, schemas] = await Promise.all([this.address.origin(by.realmId), this.address.of(by.realmId)]);
    const version = String(SERVER_VERSION.zulip_feature_level);
    return documentOf('application/json', asyncApi(this.schemas, cloudEventShape, { url, schemas, version }));
  }
}

function documentOf(mediaType: string, document: object): Bytes {
  const body = Buffer.from(JSON.stringify(document));
  return new Bytes(200, { 'Content-Type': mediaType, 'Content-Length': String(body.length) }, Readable.from([body]));
}
