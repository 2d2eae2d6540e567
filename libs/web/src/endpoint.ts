import type { ExecutionContext } from '@nestjs/common';
import { Delete, Get, HttpCode, Patch, Post, Put, applyDecorators, createParamDecorator } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { EndpointDeclaration, EndpointOptions, Method } from './reference/endpoint-declaration';
import { API } from './reference/endpoint-declaration';
import { decodeParams } from './params/decode';
import type { Fields, ParamsSpec } from './params/spec';
import { specOf } from './params/spec';
import type { WebRequest } from './request';
import { askerOf, endpointOf, sourcesOf } from './request';
import { decoded } from './body/decoded';

const VERBS = { GET: Get, POST: Post, PATCH: Patch, PUT: Put, DELETE: Delete } as const;
const paramsOfMethod = new WeakMap<object, Map<string | symbol, ParamsSpec>>();

/**
 * Declares a controller method as an endpoint of the API. It answers 200 with the result of the method, in the
 * envelope.
 *
 * @param path below `/api/v1`, or below the root if the options say so. `:name` is one segment, and a last `*name` is
 *   the rest of the path, including slashes
 */
export function Endpoint(method: Method, path: string, options: EndpointOptions): MethodDecorator {
  return (controller, name, descriptor) => {
    const params = paramsOfMethod.get(controller)?.get(name);
    refuseMismatch(path, params);
    const wildcard = /\*(\w+)$/.exec(path)?.[1];
    const endpoint: EndpointDeclaration = {
      ...options,
      method,
      path: `${options.protocol?.base ?? (options.root ? '' : API)}/${path}`,
      params,
      ids: idsOf(params),
      wildcard,
    };
    const route = wildcard === undefined ? endpoint.path : endpoint.path.slice(0, -wildcard.length);
    applyDecorators(VERBS[method](route), HttpCode(200), RouteConfig({ endpoint }))(controller, name, descriptor);
  };
}

/** The path and the parameter class must have the same segments. Anything else is a bug. */
function refuseMismatch(path: string, params: ParamsSpec | undefined): void {
  const inPath = [...path.matchAll(/[:*](\w+)/g)].map(([, name]) => name);
  const declared = (params?.params ?? []).filter(({ place }) => place === 'path').map(({ names }) => names[0]);
  const odd = [...inPath, ...declared].find((name) => !inPath.includes(name) || !declared.includes(name ?? ''));
  if (odd !== undefined) throw new Error(`${path}: the path and its parameter class disagree about ${odd}`);
}

const idsOf = (params: ParamsSpec | undefined) =>
  (params?.params ?? [])
    .filter(({ place, schema }) => place === 'path' && schema.type === 'integer')
    .map(({ names }) => names[0]);

const Decoded = createParamDecorator((spec: ParamsSpec, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<WebRequest>();
  const endpoint = endpointOf(request);
  if (!endpoint) throw new Error('@Params() is used on a method without @Endpoint()');
  // Nest awaits the result, so a promise is allowed.
  return decoded(sizeOf(request.body), askerOf(request), () => decodeParams(spec, sourcesOf(request, endpoint)));
});

function sizeOf(fields: Fields = {}): number {
  let size = 0;
  for (const name in fields) size += fields[name]?.length ?? 0;
  return size;
}

/** Handler argument: the decoded parameters, an instance of this class. At most one for a method. */
export function Params<T extends object>(create: new () => T): ParameterDecorator {
  const spec = specOf(create);
  return (controller, name, index) => {
    if (name === undefined) throw new Error('@Params() is used on a constructor');
    const methods = paramsOfMethod.get(controller) ?? new Map<string | symbol, ParamsSpec>();
    paramsOfMethod.set(controller, methods.set(name, spec));
    Decoded(spec)(controller, name, index);
  };
}
