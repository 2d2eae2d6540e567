import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CannotStart, reasonOf } from '@annals/embedded';
import type { HealthChecks } from '@annals/kernel';
import { excludedBy } from '@annals/kernel';
import { Logger } from '@nestjs/common';
import type { Registry } from 'prom-client';
import { defaultAddressOf } from '../../shared/src/open-kernel';

export interface Operations {
  readonly health: HealthChecks;
  readonly registry: Registry;
}

export interface OperationsServer {
  /** `http://host:port` it listens on. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

const log = new Logger('operations');

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const json = (status: number, value: object): Answer => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
});

/**
 * Health and metrics of a process that serves nothing else, like those of an api.
 *
 * @param port 0 takes a free one
 * @throws CannotStart when it cannot listen there
 */
export async function serveOperations(what: Operations, host: string, port: number): Promise<OperationsServer> {
  const server = createServer((request, response) => void answer(what, request, response));
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw new CannotStart(`Port ${port} of ${host} cannot be ANNALS_WORKER_PORT: ${reasonOf(error)}.`);
  }
  const { port: taken } = server.address() as AddressInfo;
  return { url: defaultAddressOf({ HOST: host, PORT: taken }), close: () => closed(server) };
}

async function answer(what: Operations, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, type, body } = await answerTo(what, request).catch((error: unknown) => {
    log.error({ msg: 'request failed', err: error });
    return json(500, { status: 'failed' });
  });
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) });
  response.end(request.method === 'HEAD' ? undefined : body);
}

async function answerTo({ health, registry }: Operations, { method, url = '/' }: IncomingMessage): Promise<Answer> {
  if (method !== 'GET' && method !== 'HEAD') return json(405, { status: 'method not allowed' });
  switch (url.split('?', 1)[0]) {
    case '/health/live':
      return json(200, { status: 'ok' });
    case '/health/ready': {
      const report = await health.report(excludedBy(url));
      return json(report.status === 'ok' ? 200 : 503, report);
    }
    case '/metrics':
      return { status: 200, type: registry.contentType, body: await registry.metrics() };
    default:
      return json(404, { status: 'not found' });
  }
}

async function closed(server: Server): Promise<void> {
  const end = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await end;
}
