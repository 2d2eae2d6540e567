import type { JsonLog } from '@annals/kernel';
import type { Type } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ServerOptions } from './http-adapter';
import { HttpAdapter } from './http-adapter';
import { serveReference } from './reference-page';

export interface HttpAppOptions extends ServerOptions {
  readonly log: JsonLog;
}

/**
 * Makes the application of a root module that imports `WebModule`; `listen()` is the caller's.
 * On SIGTERM and SIGINT it stops accepting, runs the shutdown hooks (`beforeApplicationShutdown` answers hanging
 * polls), lets running requests finish and closes.
 *
 * @throws Error when a provider is missing or a route has no audience
 */
export async function createHttpApp(
  root: Type | DynamicModule,
  { log, ...server }: HttpAppOptions,
): Promise<NestFastifyApplication> {
  const adapter = new HttpAdapter(server);
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    logger: log,
    bodyParser: false,
    abortOnError: false,
  });
  serveReference(adapter.getInstance(), adapter.routes);
  app.enableShutdownHooks([], { useProcessExit: true });
  return app;
}
