import type { JsonObject } from '../../domain/scim/json';
import { MAX_COUNT } from '../../domain/scim/list-request';
import type { Attribute, ResourceType } from '../../domain/scim/resource/attribute';
import { GROUP } from '../../domain/scim/resource/group-type';
import { USER } from '../../domain/scim/resource/user-type';

const CORE = 'urn:ietf:params:scim:schemas:core:2.0';

export const RESOURCE_TYPES: readonly ResourceType[] = [USER, GROUP];

/** What this server can do (RFC 7643 section 5). */
export const serviceProviderConfig = (base: string): JsonObject => ({
  schemas: [`${CORE}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_COUNT },
  changePassword: { supported: true },
  sort: { supported: true },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token that an owner of the organization issued.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});

/** A type of resources (RFC 7643 section 6). */
export const resourceTypeDocument = ({ name, endpoint, about, schema }: ResourceType, base: string): JsonObject => ({
  schemas: [`${CORE}:ResourceType`],
  id: name,
  name,
  endpoint,
  description: about,
  schema,
  schemaExtensions: [],
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
});

/** The attributes of a type (RFC 7643 section 7). */
export const schemaDocument = ({ name, about, schema, attributes }: ResourceType, base: string): JsonObject => ({
  schemas: [`${CORE}:Schema`],
  id: schema,
  name,
  description: about,
  attributes: attributes.map(attributeDocument),
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema}` },
});

function attributeDocument(attribute: Attribute): JsonObject {
  const { name, about, type, multiValued, required, caseExact, mutability, returned, uniqueness } = attribute;
  const { canonicalValues, referenceTypes, parts } = attribute;
  return {
    name,
    type,
    multiValued,
    description: about,
    required,
    ...(type !== 'complex' && { caseExact }),
    mutability,
    returned,
    uniqueness,
    ...(canonicalValues.length > 0 && { canonicalValues }),
    ...(referenceTypes.length > 0 && { referenceTypes }),
    ...(parts.length > 0 && { subAttributes: parts.map(attributeDocument) }),
  };
}
