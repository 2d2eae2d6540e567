import { Readable } from 'node:stream';
import type { TokenBearer } from '@annals/kernel';
import { RealmFacts, ServerAddress } from '@annals/realm';
import { Bytes } from '@annals/web';
import type { RequestInfo } from '@annals/web';
import { Injectable } from '@nestjs/common';
import type { JsonObject, JsonValue } from '../../domain/scim/json';
import { isObject } from '../../domain/scim/json';
import { hasVersion, tagOf, versionsIn } from '../../domain/scim/precondition';
import { reject } from '../../domain/scim/rejections';
import type { ResourceType } from '../../domain/scim/resource/attribute';
import type { AttributeSelection } from '../../domain/scim/selection';
import { selector } from '../../domain/scim/selection';
import { SCIM, SCIM_TYPE } from './protocol';

const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** Most keys of a body: every member of a large group has two. */
const MAX_KEYS = 60_000;

/** A resource with its version and address. */
export interface PresentedResource {
  readonly type: ResourceType;
  readonly version: number;
  readonly resource: JsonObject;
}

/** Writes answers in the form of SCIM. */
@Injectable()
export class ScimAnswers {
  constructor(
    private readonly realms: RealmFacts,
    private readonly address: ServerAddress,
  ) {}

  /** The address of the interface of an organization. */
  async base({ realmId }: Pick<TokenBearer, 'realmId'>): Promise<string> {
    return `${this.address.urlOf((await this.realms.of(realmId)).subdomain)}${SCIM.base}`;
  }

  /** @param status 200, or 201 for a resource that was just created */
  resource(status: 200 | 201, { type, version, resource }: PresentedResource, selection: AttributeSelection): Bytes {
    const { meta } = resource;
    const location = isObject(meta) && typeof meta.location === 'string' ? meta.location : '';
    const headers = { ETag: tagOf(version), ...(status === 201 && { Location: location }) };
    return document(status, selector(selection, type)(resource), headers);
  }

  /** A resource that the caller asks for, or 304 if it has this version already. */
  requested(found: PresentedResource, selection: AttributeSelection, info: RequestInfo): Bytes {
    const known = versionsIn(info.header('If-None-Match'));
    if (known !== null && hasVersion(known, found.version)) return nothing(304, { ETag: tagOf(found.version) });
    return this.resource(200, found, selection);
  }

  list(total: number, startIndex: number, resources: readonly JsonObject[]): Bytes {
    return document(200, {
      schemas: [LIST],
      totalResults: total,
      startIndex,
      itemsPerPage: resources.length,
      ...(resources.length > 0 && { Resources: resources }),
    });
  }
}

/** JSON as an answer. */
export function document(status: number, body: JsonObject, headers: Readonly<Record<string, string>> = {}): Bytes {
  const bytes = Buffer.from(JSON.stringify(body));
  const type = { 'Content-Type': SCIM_TYPE, 'Content-Length': String(bytes.length) };
  return new Bytes(status, { ...headers, ...type }, Readable.from([bytes]));
}

/** An answer without a body. */
export const nothing = (status: 204 | 304, headers: Readonly<Record<string, string>> = {}): Bytes =>
  new Bytes(status, headers, Readable.from([]));

/** The body of a request. @throws Rejected INVALID_JSON, INVALID_SYNTAX, and BAD_REQUEST for one that is too deep */
export async function bodyOf(info: RequestInfo): Promise<JsonObject> {
  const body = (await info.payload({ maxKeys: MAX_KEYS })) as JsonValue;
  if (!isObject(body)) throw reject.syntax({ why: 'The body is an object of JSON.' });
  return body;
}
