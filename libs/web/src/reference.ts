import type { TSchema } from '@annals/kernel/domain';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { SwaggerModule } from '@nestjs/swagger';
import type { EndpointDeclaration } from './endpoint-declaration';
import type { ParamSpec } from './params/spec';
import { Routes } from './routes';

type Schema = Record<string, unknown>;

/** Serves the OpenAPI document at `/api/docs.json` and a browsable reference at `/api/docs`. */
export function serveReference(app: NestFastifyApplication): void {
  SwaggerModule.setup('api/docs', app, () => openApi(app.get(Routes).endpoints()), {
    jsonDocumentUrl: 'api/docs.json',
    raw: ['json'],
    customSiteTitle: 'Annals API',
  });
}

/** The OpenAPI 3.1 document of these endpoints, made from the declarations that decode and refuse. */
export function openApi(endpoints: readonly EndpointDeclaration[]): OpenAPIObject {
  const paths: Record<string, Record<string, unknown>> = {};
  const spellings: Record<string, EndpointDeclaration> = {};
  for (const endpoint of endpoints) {
    const shape = endpoint.path.replace(/[:*]\w+/g, '{}');
    // One path has one spelling in the document; methods that call its parts otherwise are described under the first.
    const first = (spellings[shape] ??= endpoint);
    const path = first.path.replace(/[:*](\w+)/g, '{$1}');
    (paths[path] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint, namesIn(first.path));
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Annals', version: '1', description: 'The Zulip REST API, as this server speaks it.' },
    servers: [{ url: '/' }],
    paths,
    components: { securitySchemes: { apiKey: { type: 'http', scheme: 'basic' } } },
  };
}

/** @param names what the document calls the parts of the path, in their order */
function operation(endpoint: EndpointDeclaration, names: readonly string[]) {
  const { method, path, audience, section, summary, params, returns } = endpoint;
  const own = namesIn(path);
  const declared = params?.params ?? [];
  const fields = declared.filter(({ place }) => place === 'fields');
  const [tag = ''] = path.split('/').slice(3);
  return {
    operationId: `${method} ${path}`,
    tags: [tag],
    ...(summary !== undefined && { summary }),
    description: [`Audience: ${audience}.`, section === undefined ? '' : `Section: ${section}.`].join(' ').trim(),
    security: audience === 'public' ? [] : [{ apiKey: [] }],
    parameters: [
      ...declared
        .filter(({ place }) => place === 'path')
        .map((param) => ({ ...pathParameter(param), name: names[own.indexOf(param.names[0] ?? '')] })),
      ...(method === 'GET' ? fields.map(queryParameter) : []),
    ],
    ...(method !== 'GET' && fields.length > 0 && { requestBody: body(fields) }),
    responses: {
      200: { description: 'Success', content: json(envelope({ result: { const: 'success' } }, returns)) },
      default: {
        description: 'Refused',
        content: json(envelope({ result: { const: 'error' }, code: { type: 'string' } }, undefined)),
      },
    },
  };
}

const namesIn = (path: string) => [...path.matchAll(/[:*](\w+)/g)].map(([, name]) => name ?? '');

const json = (schema: unknown) => ({ 'application/json': { schema } });

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

function fieldSchema({ schema, initial, nullable }: ParamSpec): Schema {
  const base = plain(schema);
  return {
    ...(nullable ? { anyOf: [base, { type: 'null' }] } : base),
    ...(initial !== undefined && { default: initial }),
  };
}

function described({ about = '', names: [, ...aliases] }: ParamSpec): { description?: string } {
  const description = `${about} ${aliases.length > 0 ? `Also: ${aliases.join(', ')}.` : ''}`.trim();
  return description === '' ? {} : { description };
}

/** The envelope around an endpoint's own fields. */
function envelope(own: Schema, returns: TSchema | undefined): Schema {
  const shape = returns === undefined ? {} : plain(returns);
  const { properties = {}, required = [] } = shape as { properties?: Schema; required?: string[] };
  return {
    type: 'object',
    properties: { ...own, msg: { type: 'string' }, ...properties },
    required: ['result', 'msg', ...required],
  };
}

/** A schema without TypeBox's symbols. */
const plain = (schema: TSchema): Schema => JSON.parse(JSON.stringify(schema)) as Schema;
