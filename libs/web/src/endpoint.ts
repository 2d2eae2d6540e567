import type { TSchema } from '@annals/kernel/domain';
import type { ExecutionContext } from '@nestjs/common';
import { Delete, Get, HttpCode, Patch, Post, Put, applyDecorators, createParamDecorator } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { Audience } from './audience';
import { decodeParams } from './params/decode';
import type { ParamsSpec } from './params/spec';
import { specOf } from './params/spec';
import type { WebRequest } from './request';
import { endpointOf, sourcesOf } from './request';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** What is declared about an endpoint beside its method and path. */
export interface EndpointOptions {
  readonly audience: Audience;
  /** Section of the interface document or page of the contract, for example `4.1` or `boot 2.1`. */
  readonly section?: string;
  /** One line for the reference. */
  readonly summary?: string;
  /** Name of the command it sends; none for an endpoint that only reads. */
  readonly command?: string;
  /** Lets incoming-webhook bots in; they may only send messages. */
  readonly webhookBots?: boolean;
  /** Leaves a multipart body unread, for a handler that streams files itself. */
  readonly files?: boolean;
  /** Does not count against the caller's quota. */
  readonly unlimited?: boolean;
  /** Shape of the answer beside the envelope, for the reference. */
  readonly returns?: TSchema;
}

/** A declared endpoint, as the guard, the decoder, the reference and `routes.txt` see it. */
export interface EndpointDeclaration extends EndpointOptions {
  readonly method: Method;
  /** Full path with `:name` and a last `*name`, for example `/api/v1/messages/:message_id`. */
  readonly path: string;
  readonly params: ParamsSpec | undefined;
  /** Names of path segments that must be decimal numbers for the route to match. */
  readonly ids: readonly string[];
  /** Name of the last part of the path when it may hold slashes. */
  readonly wildcard: string | undefined;
}

export const API = '/api/v1';

const VERBS = { GET: Get, POST: Post, PATCH: Patch, PUT: Put, DELETE: Delete } as const;
const paramsOfMethod = new WeakMap<object, Map<string | symbol, ParamsSpec>>();

/**
 * Declares a controller method as an endpoint of the API. It answers 200 with what the method returns, in the envelope.
 *
 * @param path below `/api/v1`; `:name` is one segment, a last `*name` is the rest of the path, slashes included
 */
export function Endpoint(method: Method, path: string, options: EndpointOptions): MethodDecorator {
  return (controller, name, descriptor) => {
    const params = paramsOfMethod.get(controller)?.get(name);
    const wildcard = /\*(\w+)$/.exec(path)?.[1];
    const endpoint: EndpointDeclaration = {
      ...options,
      method,
      path: `${API}/${path}`,
      params,
      ids: idsOf(params),
      wildcard,
    };
    const route = wildcard === undefined ? endpoint.path : endpoint.path.slice(0, -wildcard.length);
    applyDecorators(VERBS[method](route), HttpCode(200), RouteConfig({ endpoint }))(controller, name, descriptor);
  };
}

const idsOf = (params: ParamsSpec | undefined) =>
  (params?.params ?? [])
    .filter(({ place, schema }) => place === 'path' && schema.type === 'integer')
    .map(({ names }) => names[0]);

const Decoded = createParamDecorator((spec: ParamsSpec, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<WebRequest>();
  const endpoint = endpointOf(request);
  if (!endpoint) throw new Error('@Params() stands on a method that is no @Endpoint()');
  return decodeParams(spec, sourcesOf(request, endpoint));
});

/** Handler argument: the decoded parameters, an instance of this class; at most one for a method. */
export function Params<T extends object>(create: new () => T): ParameterDecorator {
  const spec = specOf(create);
  return (controller, name, index) => {
    if (name === undefined) throw new Error('@Params() stands on a constructor');
    const methods = paramsOfMethod.get(controller) ?? new Map<string | symbol, ParamsSpec>();
    paramsOfMethod.set(controller, methods.set(name, spec));
    Decoded(spec)(controller, name, index);
  };
}
