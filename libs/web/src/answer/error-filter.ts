import { ShuttingDown } from '@annals/kernel';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import { Catch, HttpException, Logger } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { ErrorAnswer } from './answer';
import { UNREADABLE, answerTo } from './answer';
import { failure } from './envelope';
import { sendFailure } from './send-failure';
import type { WebRequest } from '../request';
import { ErrorPages, isForBrowser } from '../pages/error-pages';
import { endpointOf } from '../request';
import { Routes } from '../reference/routes';

const API_CHALLENGE = 'zulip';
const WITHOUT_LOGIN: ReadonlySet<string | undefined> = new Set(['public', 'webhooks']);

/**
 * Answers every error in the envelope, and to browsers outside the API as a page. An error that is no refusal is logged with the request's id, except those that
 * follow from an intended end of the process.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly log = new Logger('request');

  constructor(
    private readonly routes: Routes,
    private readonly pages: ErrorPages,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<WebRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (reply.sent || reply.raw.headersSent) return;
    const answer = this.wrongMethod(error, request) ?? answerTo(error);
    if (answer.status >= 500 && !(error instanceof ShuttingDown)) {
      this.log.error({ msg: 'request failed', request: request.id, route: request.routeOptions.url, err: error });
    }
    // The rest of a refused body is read and dropped: closing at once could lose the answer.
    if (answer.status === 413) reply.removeHeader('Connection');
    const protocol = this.routes.protocolOf(request.url);
    if (protocol) {
      sendFailure(reply, protocol, answer);
      return;
    }
    const endpoint = endpointOf(request);
    // A browser does not know how to log in with a key in the URL.
    if (answer.status === 401 && !endpoint?.page && !WITHOUT_LOGIN.has(endpoint?.audience)) {
      reply.header('WWW-Authenticate', `Basic realm="${endpoint?.challenge ?? API_CHALLENGE}"`);
    }
    const send = () => reply.code(answer.status).headers(answer.headers).send(answer.body);
    if (isForBrowser(request)) void this.pages.send(request, reply, answer).catch(send);
    else send();
  }

  private wrongMethod(error: unknown, request: WebRequest): ErrorAnswer | undefined {
    if (!(error instanceof HttpException) || error.getStatus() !== 404) return undefined;
    const allowed = this.routes.methodsOf(request.url);
    if (allowed.length === 0) {
      return { status: 404, body: failure('BAD_REQUEST', 'Not found'), headers: {} };
    }
    const body = failure('BAD_REQUEST', 'Method Not Allowed', { allowed_methods: allowed });
    return { status: 405, body, headers: { Allow: allowed.join(', ') }, shown: UNREADABLE };
  }
}
