import type { Actor, Origin, RealmId } from '@annals/kernel/domain';
import type { ExecutionContext } from '@nestjs/common';
import { createParamDecorator } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator, Credentials, TokenBearer } from '@annals/kernel';
import { clientName } from './client-name';
import { preferredType } from './media-type';
import type { EndpointDeclaration } from './reference/endpoint-declaration';
import { emptyFields } from './body/form';
import { readPayload } from './body/payload';
import type { ParamSources } from './params/decode';
import type { Fields } from './params/spec';
import { isUnstorable } from './params/text';
import type { QuotaState } from './limits/rate-limits';
import type { Slot } from './limits/request-slots';
import { sendQuota } from './limits/rate-limits';
import type { FileLimit, SentFile } from './body/sent-file';
import { sentFile } from './body/sent-file';

/** A request in this library: decoded texts, its endpoint, and its caller. */
export interface WebRequest extends FastifyRequest {
  body: Fields | undefined;
  query: Fields;
  /** The caller, set after authentication. The name is Passport's. */
  user?: Actor;
  /** The program that sends it, if its endpoint is for programs with a token. */
  bearer?: TokenBearer;
  /** The authenticator of this application. */
  authenticator?: Authenticator;
  /** The body as it was received, for endpoints whose body is a payload. */
  payload?: Buffer;
  /** The file beside the parameters, for endpoints that permit one. */
  attached?: Uint8Array | null;
  /** The organization of the host. Set for pages, and for endpoints without a login. */
  realmId?: RealmId;
  /** Its permission to be in progress. */
  slot?: Slot;
}

/** The endpoint that a request was routed to. Undefined outside the API and without a matching route. */
export const endpointOf = (request: FastifyRequest): EndpointDeclaration | undefined =>
  (request.routeOptions.config as { endpoint?: EndpointDeclaration }).endpoint;

/** The owner of long work: the account, or the address before the account is known. */
export const askerOf = ({ user, ip }: WebRequest): string => (user ? `${user.realmId}:${user.userId}` : ip);

/** Path, body and query of a request. GET has no body here (contract/conventions.md section 2). */
export function sourcesOf(request: WebRequest, endpoint: EndpointDeclaration): ParamSources {
  const path = request.params as Record<string, string>;
  const { wildcard, payload } = endpoint;
  return {
    path: wildcard === undefined ? path : { ...path, [wildcard]: (path['*'] ?? '') + lastSlash(request) },
    body: payload ? undefined : request.body,
    query: request.query ?? emptyFields(),
  };
}

/** The router ignores a slash at the end, but it is part of the rest of a path. */
const lastSlash = ({ url }: Pick<WebRequest, 'url'>): string => (/^[^?#]*\/(?:[?#]|$)/.test(url) ? '/' : '');

/** Where the request came from, in the form that is stored with events. */
export function originOf(request: WebRequest): Origin {
  const given = request.body?.client ?? (request.query as Fields | undefined)?.client;
  return {
    client: clientName(given, request.headers['user-agent']),
    correlation: request.id,
    address: request.ip ?? null,
  };
}

/** The credentials of HTTP Basic, unchecked. Undefined if there are none. */
export function credentialsOf(request: WebRequest): Credentials | undefined {
  const [, encoded] = /^basic ([a-z0-9+/=]+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const [username = '', ...rest] = Buffer.from(encoded, 'base64').toString().split(':');
  const password = rest.join(':');
  if (username === '' || password === '' || isUnstorable(username) || isUnstorable(password)) return undefined;
  return { host: hostOf(request), username, password, origin: originOf(request) };
}

/**
 * Host name of the request in lower case without its port, and without the dot that may end a complete name. Empty if the client sent
 * none.
 */
export const hostOf = (request: FastifyRequest): string => (request.hostname ?? '').toLowerCase().replace(/\.$/, '');

/** Facts for a handler about its request, beside the parameters and the actor. */
export class RequestInfo {
  private controller: AbortController | undefined;

  constructor(
    private readonly request: WebRequest,
    private readonly reply: FastifyReply,
  ) {}

  get origin(): Origin {
    return this.request.user?.origin ?? originOf(this.request);
  }

  /** Host with its port, as the client named it. */
  get host(): string {
    return this.request.host;
  }

  /** Host name without its port, in lower case. */
  get hostName(): string {
    return hostOf(this.request);
  }

  get protocol(): 'http' | 'https' {
    return this.request.protocol;
  }

  /**
   * The only file of the body, for an endpoint that declares `files`. See `sentFile`.
   *
   * @throws Rejected BAD_REQUEST when there is none
   */
  file(limit: FileLimit): Promise<SentFile> {
    return sentFile(this.request, limit);
  }

  /**
   * The bytes of the file beside the parameters, for an endpoint whose `files` is a limit. Undefined when there is
   * none.
   */
  get attached(): Uint8Array | undefined {
    return this.request.attached ?? undefined;
  }

  /**
   * The payload of an endpoint that declares one.
   *
   * @param limits.maxKeys most keys of all its objects, if it may have more than usual
   * @throws Rejected INVALID_JSON, or BAD_REQUEST for one that is nested too deeply or has too many entries
   */
  payload(limits: { readonly maxKeys?: number } = {}): unknown {
    return readPayload(this.request, askerOf(this.request), limits.maxKeys);
  }

  /**
   * The other end of the connection: a proxy if there is one, whatever the request names. For trust in what only that
   * machine can send.
   */
  get peer(): string {
    return this.request.raw.socket.remoteAddress ?? '';
  }

  /** A header of the request, by its name in any letter case. */
  header(name: string): string | undefined {
    const value = this.request.headers[name.toLowerCase()];
    return typeof value === 'string' ? value : undefined;
  }

  /** Whether the caller prefers server-sent events to JSON, as a browser's `EventSource` does. */
  get wantsEventStream(): boolean {
    const preferred = preferredType(this.header('accept'), ['application/json', 'text/event-stream']);
    return preferred === 'text/event-stream' && !this.wantsHeadersOnly;
  }

  /** A HEAD request: the answer has an empty stream and the headers of the whole one. */
  get wantsHeadersOnly(): boolean {
    return this.request.method === 'HEAD';
  }

  /** Sends the client, in headers, the state of a limit of this endpoint's own. */
  tellQuota(state: QuotaState): void {
    sendQuota(this.reply, state);
  }

  /** Aborts when the client disconnects before it has its answer. For requests that wait. */
  get disconnected(): AbortSignal {
    if (this.controller) return this.controller.signal;
    const controller = new AbortController();
    this.controller = controller;
    const { raw } = this.reply;
    if (raw.destroyed) controller.abort();
    else raw.once('close', () => !raw.writableFinished && controller.abort());
    return controller.signal;
  }
}

const requestOf = (context: ExecutionContext) => context.switchToHttp().getRequest<WebRequest>();

/** Handler argument: the account of the caller. */
export const By = createParamDecorator((_: unknown, context: ExecutionContext): Actor => {
  const { user } = requestOf(context);
  if (!user) throw new Error('@By() is used on an endpoint that needs no login');
  return user;
});

/** Handler argument of an endpoint for programs with a token: the token's rights and organization. */
export const Bearer = createParamDecorator((_: unknown, context: ExecutionContext): TokenBearer => {
  const { bearer } = requestOf(context);
  if (!bearer) throw new Error('@Bearer() is used on an endpoint for accounts');
  return bearer;
});

/** Handler argument of an endpoint without a login: the organization of the host. */
export const AtRealm = createParamDecorator((_: unknown, context: ExecutionContext): RealmId => {
  const { realmId, user } = requestOf(context);
  const realm = realmId ?? user?.realmId;
  if (realm === undefined) throw new Error('@AtRealm() is used on a method without @Endpoint()');
  return realm;
});

/** Handler argument: facts about the request itself, of type `RequestInfo`. */
export const Info = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    new RequestInfo(requestOf(context), context.switchToHttp().getResponse<FastifyReply>()),
);
