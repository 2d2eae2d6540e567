import { Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import type { HttpAdapter } from './http-adapter';
import { Metrics } from './metrics';
import type { WebRequest } from './request';

/** What a request is logged as when its client left before the answer. */
const CLIENT_LEFT = 499;

/** Logs and measures every request by the pattern of its route: paths and addresses are personal. */
@Injectable()
export class Traffic {
  private readonly log = new Logger('request');

  constructor(
    { httpAdapter }: HttpAdapterHost<HttpAdapter>,
    private readonly metrics: Metrics,
  ) {
    httpAdapter.observe((request, reply, ms) => this.note(request, reply, ms));
  }

  private note(request: WebRequest, { raw }: FastifyReply, ms: number): void {
    const { method, id, user } = request;
    const route = request.routeOptions.url ?? 'none';
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
    });
  }
}
