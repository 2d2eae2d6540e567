import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import type { DynamicModule, INestApplication } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { JsonLog } from '@annals/kernel';
import type { ServerOptions } from '../src/http-adapter';
import { createHttpApp } from '../src/http-app';
import type { WebOptions } from '../src/web.module';
import { WebModule } from '../src/web.module';
import { KEY, PeopleModule } from './toy-accounts';
import { ToyController } from './toy-controller';
import { ToyPages } from './toy-pages';

@Module({ controllers: [ToyController, ToyPages] })
export class ToyModule {
  static with(options: WebOptions): DynamicModule {
    return ToyModule.within(WebModule.forRoot({ imports: [PeopleModule], ...options }));
  }

  /** @param web a `WebModule` that imports `PeopleModule` */
  static within(web: DynamicModule): DynamicModule {
    return { module: ToyModule, imports: [web] };
  }
}

/** A log that writes nothing. */
export const silent = () => new JsonLog('silent');

/** A running toy application, and functions that send requests to it. */
export interface ToyApp {
  readonly app: INestApplication;
  readonly port: number;
  /** Lines logged so far, parsed. */
  readonly logged: Record<string, unknown>[];
  ask(method: string, path: string, options?: Ask): Promise<Answered>;
  /** Authorization header of a user of the toy organization. */
  basic(username: string, key?: string): string;
  /** Sends bytes unchanged and reads until the server closes. */
  raw(bytes: string | Buffer): Promise<string>;
  close(): Promise<void>;
}

export interface Ask {
  /** Name of a user of the toy organization, or null to send no credentials. */
  readonly as?: string | null;
  readonly headers?: Record<string, string>;
  readonly form?: Record<string, string> | string;
  readonly body?: string | Buffer | FormData;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Record<string, unknown>;
}

const basic = (username: string, key = KEY) =>
  `Basic ${Buffer.from(`${username}@example.com:${key}`).toString('base64')}`;

export const startToyApp = (options: Partial<WebOptions> = {}, server: ServerOptions = {}): Promise<ToyApp> =>
  startApp(ToyModule.with({ rateLimits: false, ...options }), server);

/** @param root the module of the toy application */
export async function startApp(root: DynamicModule, server: ServerOptions = {}): Promise<ToyApp> {
  const logged: Record<string, unknown>[] = [];
  const log = new JsonLog('info', { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) });
  const app = await createHttpApp(root, { log, ...server });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { app, port, logged, ask: asker(port), basic, raw: (bytes) => sendRaw(port, bytes), close: () => app.close() };
}

const asker =
  (port: number): ToyApp['ask'] =>
  async (method, path, { as = 'member', headers = {}, form, body } = {}) => {
    const typed = form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    const fields = typeof form === 'object' ? new URLSearchParams(form).toString() : form;
    const sent = fields ?? (Buffer.isBuffer(body) ? new Uint8Array(body) : body);
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { ...(as !== null && { authorization: basic(as) }), ...typed, ...headers },
      ...(sent !== undefined && { body: sent }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, json: JSON.parse(text) as Record<string, unknown> };
  };

function sendRaw(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    socket.on('error', reject);
  });
}
