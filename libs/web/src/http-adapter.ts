import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isLong, writtenInTurns } from './answer/answer-text';
import { Bytes } from './body/bytes';
import { decoded } from './body/decoded';
import { failure, success } from './answer/envelope';
import { decodeForm, readForm } from './body/form';
import { ignoredNames } from './params/decode';
import type { WebRequest } from './request';
import { askerOf, endpointOf, sourcesOf } from './request';
import { Routes } from './reference/routes';
import { sendFailure } from './answer/send-failure';

/** Settings of the HTTP server itself. */
export interface ServerOptions {
  /** Greatest size in bytes of a body without files. 2 MiB when left out. */
  readonly bodyLimit?: number;
  /** Number of proxies in front whose `X-Forwarded-For` and `X-Forwarded-Host` are trusted. None when left out. */
  readonly trustedProxies?: number;
}

/** Receives a request, and its milliseconds, when its connection is finished with it. */
export type AnswerObserver = (request: WebRequest, reply: FastifyReply, ms: number) => void;

const JSON_TYPE = 'application/json; charset=utf-8';
const MIB = 1024 * 1024;
/** Milliseconds for the arrival of a whole request. */
const REQUEST_TIMEOUT = 120_000;
/** Milliseconds that running requests get to finish at shutdown. */
const DRAIN_TIMEOUT = 10_000;
const MAX_PATH_PARAM = 2_048;
/** Greatest size in bytes of a request's first line and headers: clients put long narrows into the URL of a GET. */
const MAX_HEADER_SIZE = 64 * 1024;
/** A body of any other type counts as one without a type. */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;
/** Milliseconds in which a client may read why its connection ends, and end it itself. */
const LINGER = 1_000;

/** Fastify for this API: form and multipart bodies on every method, the envelope, an orderly end. */
export class HttpAdapter extends FastifyAdapter {
  readonly routes: Routes;
  private running = 0;
  private leaving = false;
  private drained: (() => void) | undefined;
  private observer: AnswerObserver | undefined;

  constructor({ bodyLimit = 2 * MIB, trustedProxies = 0 }: ServerOptions) {
    const routes = new Routes();
    super({
      bodyLimit,
      ...(trustedProxies > 0 && { trustProxy: (_: string, hop: number) => hop < trustedProxies }),
      genReqId: () => randomUUID(),
      requestTimeout: REQUEST_TIMEOUT,
      forceCloseConnections: true,
      skipMiddie: true,
      multipart: true,
      http: { requireHostHeader: false, maxHeaderSize: MAX_HEADER_SIZE },
      routerOptions: {
        ignoreTrailingSlash: true,
        maxParamLength: MAX_PATH_PARAM,
        querystringParser: decodeForm,
      },
      frameworkErrors: answersFrameworkErrors(routes),
      clientErrorHandler: answerClientError,
      schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    });
    this.routes = routes;
    const fastify = this.getInstance<FastifyInstance>();
    fastify.addHook('onRoute', ({ method, url, config }) => {
      const { endpoint } = (config ?? {}) as Parameters<Routes['add']>[0];
      for (const verb of [method].flat()) this.routes.add({ method: verb, path: url, endpoint });
    });
    fastify.addHook('onRequest', (request, reply, done) => {
      this.track(request, reply);
      const { headers } = request.raw;
      if (!MEDIA_TYPE.test(headers['content-type'] ?? '')) delete headers['content-type'];
      done();
    });
    fastify.addHook('onSend', (request, _reply, _payload, done) => {
      // How fast its client reads the answer does not matter to others.
      (request as WebRequest).slot?.free();
      done();
    });
    parseBodies(fastify);
  }

  /** Sets the receiver of every answered request. */
  observe(observer: AnswerObserver): void {
    this.observer = observer;
  }

  /** Puts the result of an endpoint into the envelope. */
  override reply(response: ServerResponse | FastifyReply, body: unknown, status?: number) {
    const endpoint = 'request' in response ? endpointOf(response.request) : undefined;
    if (!endpoint || !('request' in response)) return super.reply(response, body, status);
    if (body instanceof Bytes) return response.code(body.status).headers(body.headers).send(body.content);
    const request = response.request as WebRequest;
    const answer = success(body as object | undefined, ignoredNames(endpoint.params, sourcesOf(request, endpoint)));
    if (!isLong(answer)) return response.send(answer);
    // Nest awaits the result, so a promise is allowed.
    const written = writtenInTurns(answer, askerOf(request));
    return written.then((text) => response.type(JSON_TYPE).send(text)) as unknown as FastifyReply;
  }

  /** From now on a connection ends with its answer, so that its client sends the next request elsewhere. */
  endConnections(): void {
    this.leaving = true;
  }

  /** Stops accepting connections, before the shutdown hooks run. */
  override beforeClose(): void {
    super.beforeClose();
    this.endConnections();
    this.httpServer.close();
  }

  /** Lets running requests finish, then closes. Requests that wait for events were answered before. */
  override async close(): Promise<void> {
    if (this.running > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, DRAIN_TIMEOUT);
        this.drained = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    await super.close();
  }

  private track(request: FastifyRequest, reply: FastifyReply): void {
    reply.header('X-Request-Id', request.id);
    if (this.leaving) reply.header('Connection', 'close');
    this.running += 1;
    const start = performance.now();
    // Unlike Fastify's own hook, this one also runs when the client disconnects before the answer.
    reply.raw.on('close', () => {
      this.running -= 1;
      (request as WebRequest).slot?.free();
      this.observer?.(request as WebRequest, reply, performance.now() - start);
      if (this.running === 0) this.drained?.();
    });
  }
}

/** Routes declare their own parameters and answers. Without this, Fastify loads two compilers of JSON Schema. */
function noSchemas(): never {
  throw new Error('Routes have no schemas of Fastify');
}

/**
 * Forms contain parameters, and the guard reads multipart bodies. Any other body counts as none, except where an endpoint
 * takes the payload of another system.
 */
function parseBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  const FORM = 'application/x-www-form-urlencoded';
  fastify.addContentTypeParser(FORM, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) =>
    keepsPayload(request, body) ? undefined : decoded(body.length, request.ip, () => readForm(body)),
  );
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (request: FastifyRequest, body: Buffer, done) => {
    keepsPayload(request, body);
    done(null, undefined);
  });
}

/** Keeps the body of a request whose endpoint reads it as a payload. */
function keepsPayload(request: FastifyRequest, body: Buffer): boolean {
  if (!endpointOf(request)?.payload) return false;
  (request as WebRequest).payload = body;
  return true;
}

/** The router's own refusals: bad escapes in the path, a path parameter that is too long. */
const answersFrameworkErrors =
  (routes: Routes) =>
  (error: { statusCode?: number }, request: FastifyRequest, reply: FastifyReply): void => {
    const status = error.statusCode ?? 400;
    const body = failure('BAD_REQUEST', status === 414 ? 'A part of the path is too long' : 'Malformed path');
    reply.header('X-Request-Id', request.id);
    const protocol = routes.protocolOf(request.url);
    if (protocol) sendFailure(reply, protocol, { status, body, headers: {} });
    else reply.code(status).send(body);
  };

const CLIENT_ERRORS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** A request that is not HTTP also gets an envelope. Nothing that the client sends after it keeps the connection. */
function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = CLIENT_ERRORS[error.code ?? ''] ?? '400 Bad Request';
  const body = JSON.stringify(failure('BAD_REQUEST', status.slice(4)));
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // Closing at once could lose the answer. Meanwhile incoming bytes are read and dropped.
  socket.resume();
  const end = setTimeout(() => socket.destroy(), LINGER);
  socket.once('close', () => clearTimeout(end));
}
