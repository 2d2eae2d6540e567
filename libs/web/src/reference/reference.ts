import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from '@annals/kernel/domain';
import { FAILURE_SHAPE, successShape } from '../answer/answer-shape';
import type { EndpointDeclaration } from './endpoint-declaration';
import type { ParamSpec } from '../params/spec';

type Schema = Record<string, unknown>;

/** The answer of `/api/docs.json`. */
export interface OpenApi {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Schema;
  readonly components: { readonly securitySchemes: Schema; readonly schemas: Readonly<Record<string, Schema>> };
}

/** The OpenAPI 3.1 document of these endpoints, made from the declarations that decode and refuse. */
export function openApi(endpoints: readonly EndpointDeclaration[]): OpenApi {
  const paths: Record<string, Record<string, unknown>> = {};
  const spellings: Record<string, EndpointDeclaration> = {};
  for (const endpoint of endpoints) {
    const shape = endpoint.path.replace(/[:*]\w+/g, '{}');
    // A path has one spelling in the document. Methods with other names for its parts are described under the first
    // spelling.
    const first = (spellings[shape] ??= endpoint);
    const path = first.path.replace(/[:*](\w+)/g, '{$1}');
    (paths[path] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint, namesIn(first.path));
  }
  const schemas: Record<string, Schema> = {};
  return {
    openapi: '3.1.0',
    info: { title: 'Annals', version: '1', description: 'The Zulip REST API, as this server speaks it.' },
    servers: [{ url: '/' }],
    paths: named(paths, schemas) as Schema,
    components: { securitySchemes: SECURITY_SCHEMES, schemas },
  };
}

const SECURITY_SCHEMES: Schema = {
  apiKey: { type: 'http', scheme: 'basic' },
  webhookKey: { type: 'apiKey', in: 'query', name: 'api_key' },
  provisioningToken: { type: 'http', scheme: 'bearer' },
};

/** How a caller proves who they are. */
function securityOf({ audience }: EndpointDeclaration): Schema[] {
  if (audience === 'public') return [];
  if (audience === 'provisioning') return [{ provisioningToken: [] }];
  return [audience === 'webhooks' ? { webhookKey: [] } : { apiKey: [] }];
}

/**
 * Replaces each schema that has a name by a reference, and adds it to the named ones.
 *
 * @throws Error when two different schemas have one name
 */
function named(part: unknown, schemas: Record<string, Schema>): unknown {
  if (Array.isArray(part)) return part.map((item) => named(item, schemas));
  if (typeof part !== 'object' || part === null) return part;
  const whole: Schema = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, named(value, schemas)]));
  const { $id: name, ...schema } = whole;
  if (typeof name !== 'string') return whole;
  const first = (schemas[name] ??= schema);
  if (!isDeepStrictEqual(first, schema)) throw new Error(`Two shapes are called ${name}`);
  return { $ref: `#/components/schemas/${name}` };
}

/** @param names of the parts of the path in the document, in their order */
function operation(endpoint: EndpointDeclaration, names: readonly string[]) {
  const { method, path, audience, section, summary, params, payload = false } = endpoint;
  const isInQuery = method === 'GET' || payload;
  const own = namesIn(path);
  const declared = params?.params ?? [];
  const fields = declared.filter(({ place }) => place === 'fields');
  const [tag = ''] = path.split('/').slice(endpoint.root || endpoint.protocol ? 1 : 3);
  return {
    operationId: `${method} ${path}`,
    tags: [tag],
    ...(summary !== undefined && { summary }),
    description: [`Audience: ${audience}.`, section === undefined ? '' : `Section: ${section}.`].join(' ').trim(),
    security: securityOf(endpoint),
    parameters: [
      ...declared
        .filter(({ place }) => place === 'path')
        .map((param) => ({ ...pathParameter(param), name: names[own.indexOf(param.names[0] ?? '')] })),
      ...(isInQuery ? fields.map(queryParameter) : []),
      ...(endpoint.streams ? [LAST_EVENT_ID] : []),
    ],
    ...(payload && { requestBody: payloadOf(endpoint) }),
    ...(!isInQuery && fields.length > 0 && { requestBody: body(fields) }),
    responses: {
      200: { description: 'Success', content: contentOf(endpoint) },
      default: { description: 'Refused', content: failureOf(endpoint) },
    },
  };
}

const json = (schema: unknown) => ({ 'application/json': { schema } });

/** JSON of another system, or a form with it. */
const PAYLOAD = {
  required: true,
  content: {
    ...json({}),
    'application/x-www-form-urlencoded': {
      schema: { type: 'object', properties: { payload: { type: 'string' } }, required: ['payload'] },
    },
  },
};

/** JSON of another standard. */
const objectOf = (mediaType: string) => ({
  [mediaType]: { schema: { type: 'object', additionalProperties: true, description: 'As the standard describes it.' } },
});

const payloadOf = ({ protocol }: EndpointDeclaration) =>
  protocol ? { required: true, content: objectOf(protocol.mediaType) } : PAYLOAD;

const failureOf = ({ protocol }: EndpointDeclaration) =>
  protocol ? objectOf(protocol.mediaType) : json(plain(FAILURE_SHAPE));

const contentOf = (endpoint: EndpointDeclaration) => ({
  ...successOf(endpoint),
  ...(endpoint.streams && EVENT_STREAM),
});

function successOf(endpoint: EndpointDeclaration): Schema {
  const { protocol, root, bytes } = endpoint;
  if (protocol) return objectOf(protocol.mediaType);
  return root || bytes ? BYTES : json(plain(successShape(endpoint)));
}

const BYTES = { '*/*': { schema: { type: 'string', format: 'binary' } } };

const EVENT_STREAM = {
  'text/event-stream': {
    schema: { type: 'string', description: 'Server-sent events: `id`, `event`, one line of JSON.' },
  },
};
const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'A stream continues after this event. It takes precedence over the parameter.',
};

const namesIn = (path: string) => [...path.matchAll(/[:*](\w+)/g)].map(([, name]) => name ?? '');

const pathParameter = (param: ParamSpec) => ({
  in: 'path',
  required: true,
  schema: plain(param.schema),
  ...described(param),
});

const queryParameter = (param: ParamSpec) => ({
  name: param.names[0],
  in: 'query',
  required: !param.optional,
  ...described(param),
  ...(param.encoding === 'json' ? { content: json(fieldSchema(param)) } : { schema: fieldSchema(param) }),
});

function body(fields: readonly ParamSpec[]) {
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      fields.map((param) => [param.names[0], { ...fieldSchema(param), ...described(param) }]),
    ),
    required: fields.filter(({ optional }) => !optional).map(({ names }) => names[0]),
  };
  const encoding = Object.fromEntries(
    fields
      .filter(({ encoding }) => encoding === 'json')
      .map(({ names }) => [names[0], { contentType: 'application/json' }]),
  );
  return {
    required: schema.required.length > 0,
    content: {
      'application/x-www-form-urlencoded': { schema, encoding },
      'multipart/form-data': { schema, encoding },
    },
  };
}

function fieldSchema({ schema, initial, nullable, optional, encoding }: ParamSpec): Schema {
  const base = plain(schema);
  // An optional parameter in JSON may also be null.
  const takesNull = nullable || (optional && encoding === 'json');
  return {
    ...(takesNull ? { anyOf: [base, { type: 'null' }] } : base),
    ...(initial !== undefined && { default: initial }),
  };
}

function described({ about = '', noEffect, names: [, ...aliases] }: ParamSpec): { description?: string } {
  const also = aliases.length > 0 ? `Also: ${aliases.join(', ')}.` : '';
  const description = [about, also, noEffect ? 'Has no effect yet.' : ''].filter((text) => text !== '').join(' ');
  return description === '' ? {} : { description };
}

/** A schema without TypeBox's symbols. */
const plain = (schema: TSchema): Schema => JSON.parse(JSON.stringify(schema)) as Schema;
