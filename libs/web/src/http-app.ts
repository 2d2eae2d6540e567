import type { JsonLog } from '@annals/kernel';
import type { Type } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { serveFrontPage } from './reference/front-page';
import type { ServerOptions } from './http-adapter';
import { HttpAdapter } from './http-adapter';
import { serveReference } from './reference/reference-page';

export interface HttpAppOptions extends ServerOptions {
  readonly log: JsonLog;
}

/** An application that listens like `HttpAdapter`. */
export type HttpApp = Omit<NestFastifyApplication, 'getHttpAdapter'> & { getHttpAdapter(): HttpAdapter };

/**
 * Creates the application of a root module that imports `WebModule`. The caller runs `listen()`. `close()` stops
 * accepting, runs the shutdown hooks (`beforeApplicationShutdown` answers waiting polls), lets running requests finish
 * and closes.
 *
 * @throws Error when a provider is missing or a route has no audience
 */
export async function createHttpApp(root: Type | DynamicModule, { log, ...server }: HttpAppOptions): Promise<HttpApp> {
  const adapter = new HttpAdapter(server);
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    logger: log,
    bodyParser: false,
    abortOnError: false,
  });
  serveFrontPage(adapter.getInstance());
  serveReference(adapter.getInstance(), adapter.routes);
  return app as unknown as HttpApp;
}
