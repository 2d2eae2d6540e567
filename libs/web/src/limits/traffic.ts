import type { Actor } from '@annals/kernel/domain';
import { Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import type { HttpAdapter } from '../http-adapter';
import { KeyAttempts } from '../auth/key-attempts';
import { Metrics } from '../ops/metrics';
import type { WebRequest } from '../request';
import { credentialsOf, originOf } from '../request';
import { unknownPath } from './unknown-path';

/** The logged status of a request whose client disconnected before the answer. */
const CLIENT_LEFT = 499;

/**
 * Logs and measures every request by the pattern of its route: paths and addresses are personal, and links have secrets in
 * them. A request that matches no route is logged with the words of its path and its caller, so that an operator sees
 * which program asks for what this server does not have.
 */
@Injectable()
export class Traffic {
  private readonly log = new Logger('request');

  constructor(
    { httpAdapter }: HttpAdapterHost<HttpAdapter>,
    private readonly metrics: Metrics,
    private readonly authenticator: KeyAttempts,
  ) {
    httpAdapter.observe((request, reply, ms) => {
      const route = request.routeOptions.url;
      if (route === undefined && reply.raw.statusCode === 404) void this.noteUnknown(request, reply, ms);
      else this.note(request, reply, ms, route ?? 'none', {});
    });
  }

  private async noteUnknown(request: WebRequest, reply: FastifyReply, ms: number): Promise<void> {
    const user = await this.callerOf(request);
    if (user) request.user = user;
    this.note(request, reply, ms, 'none', { path: unknownPath(request.url), client: originOf(request).client });
  }

  /** Nothing has checked the key yet. A caller without a key, or with a wrong one, is logged without an account. */
  private async callerOf(request: WebRequest): Promise<Actor | undefined> {
    const credentials = credentialsOf(request);
    return credentials && this.authenticator.authenticate(credentials).catch(() => undefined);
  }

  private note(request: WebRequest, { raw }: FastifyReply, ms: number, route: string, more: object): void {
    const { method, id, user } = request;
    const status = raw.writableFinished ? raw.statusCode : CLIENT_LEFT;
    this.metrics.request(method, route, status, ms / 1000);
    this.log.log({
      msg: 'request',
      request: id,
      method,
      route,
      status,
      ms: Math.round(ms * 100) / 100,
      realm: user?.realmId ?? request.realmId,
      user: user?.userId,
      client: user?.origin.client,
      ...more,
    });
  }
}
