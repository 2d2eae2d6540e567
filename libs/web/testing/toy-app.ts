import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import type { Actor, RealmId, UserId } from '@annals/kernel/domain';
import { Rejected, Role, t } from '@annals/kernel/domain';
import type { DynamicModule, INestApplication } from '@nestjs/common';
import { Controller, Module } from '@nestjs/common';
import type { Credentials, NamedAccount } from '@annals/kernel';
import { Authenticator, JsonLog, RealmByHost, ShuttingDown } from '@annals/kernel';
import { Endpoint, Params } from '../src/endpoint';
import type { ServerOptions } from '../src/http-adapter';
import { createHttpApp } from '../src/http-app';
import {
  BooleanParam,
  IntegerParam,
  IntegersParam,
  JsonParam,
  PathId,
  PathText,
  TextParam,
  WordParam,
} from '../src/params/decorators';
import { AtRealm, By, Info, RequestInfo } from '../src/request';
import type { WebOptions } from '../src/web.module';
import { WebModule } from '../src/web.module';
import { polls } from './polls';

export const KEY = 'k'.repeat(32);
const REALM = 1 as RealmId;

const PEOPLE: Readonly<Record<string, Partial<Actor>>> = {
  owner: { userId: 1 as UserId, role: Role.owner },
  administrator: { userId: 2 as UserId, role: Role.administrator },
  member: { userId: 3 as UserId },
  guest: { userId: 4 as UserId, role: Role.guest },
  bot: { userId: 5 as UserId, botType: 1 },
  webhook: { userId: 6 as UserId, botType: 2 },
};

class ToyAuthenticator extends Authenticator {
  override async authenticate({ host, username, password, origin }: Credentials): Promise<Actor> {
    if (host.startsWith('down.')) throw Object.assign(new Error('connect failed'), { code: 'ECONNREFUSED' });
    const person = PEOPLE[username.split('@')[0] ?? ''];
    if (!person || password !== KEY) throw new Rejected('INVALID_API_KEY', 'Invalid API key');
    return {
      realmId: REALM,
      userId: 0 as UserId,
      role: Role.member,
      botType: null,
      botOwnerId: null,
      groups: new Set(),
      version: 1,
      canCreateUsers: false,
      canChangeUserEmails: false,
      origin,
      ...person,
    };
  }

  override async accountNamed({ username }: Credentials): Promise<NamedAccount> {
    return { realmId: REALM, userId: PEOPLE[username.split('@')[0] ?? '']?.userId ?? null };
  }
}

class ToyRealms extends RealmByHost {
  override async realmOf(host: string): Promise<RealmId> {
    if (host.startsWith('nowhere.')) throw new Rejected('NONEXISTENT_SUBDOMAIN', 'Invalid subdomain');
    return REALM;
  }
}

const FILE_LIMIT = { maxBytes: 3 * 1024 * 1024, tooLarge: () => new Rejected('BAD_REQUEST', 'Too large') };

class EverythingParams {
  @PathId() thing_id: number;
  @TextParam({ max: 10, trim: true, min: 1, printable: true }) name: string;
  @TextParam({ optional: true }) content?: string;
  @TextParam({ optional: true, aliases: ['subject'] }) topic?: string;
  @IntegerParam({ optional: true, min: 1 }) stream_id?: number;
  @BooleanParam() announce = false;
  @WordParam(['inherit', 'never'], { quoted: true }) policy = 'inherit';
  @IntegersParam({ optional: true, maxItems: 5 }) ids?: readonly number[];
  @JsonParam(t.Array(t.Object({ id: t.Integer(), value: t.String() }, { additionalProperties: false })), {
    optional: true,
  })
  data?: { id: number; value: string }[];
  @JsonParam(t.Unknown(), { optional: true, nullable: true }) anything?: unknown;
}

class TextOfPath {
  @PathText() fragment: string;
}

class WaitParams {
  @TextParam() queue_id: string;
}

class BrokenParams {
  @PathId() thing_id: number;
}

@Controller()
export class ToyController {
  @Endpoint('POST', 'things/:thing_id', {
    audience: 'anyone',
    section: '4.1',
    command: 'ChangeThing',
    returns: t.Object({ user_id: t.Integer(), client: t.String(), params: t.Unknown() }),
  })
  change(@By() by: Actor, @Params(EverythingParams) params: EverythingParams) {
    return { user_id: by.userId, client: by.origin.client, params };
  }

  @Endpoint('GET', 'things/:thing_id', { audience: 'anyone', returns: t.Object({ params: t.Unknown() }) })
  read(@Params(EverythingParams) params: EverythingParams) {
    return { params };
  }

  @Endpoint('PATCH', 'empty', { audience: 'anyone', returns: null })
  empty(): void {}

  @Endpoint('DELETE', 'empty', { audience: 'anyone', returns: null })
  remove(): void {}

  @Endpoint('POST', 'empty', { audience: 'anyone', returns: null })
  post(): void {}

  @Endpoint('GET', 'views/*fragment', { audience: 'anyone', returns: t.Object({ fragment: t.String() }) })
  view(@Params(TextOfPath) { fragment }: TextOfPath) {
    return { fragment };
  }

  @Endpoint('GET', 'for/members', { audience: 'members', returns: null })
  members(): void {}

  @Endpoint('GET', 'for/humans', { audience: 'humans', returns: null })
  humans(): void {}

  @Endpoint('POST', 'for/administrators', { audience: 'administrators', returns: null })
  administrators(@Params(WaitParams) _: WaitParams): void {}

  @Endpoint('GET', 'for/owners', { audience: 'owners', returns: null })
  owners(): void {}

  @Endpoint('GET', 'for/public_access', { audience: 'public-access', returns: null })
  publicAccess(): void {}

  @Endpoint('POST', 'for/webhooks', { audience: 'anyone', webhookBots: true, returns: null })
  webhooks(): void {}

  @Endpoint('GET', 'server_settings', {
    audience: 'public',
    returns: t.Object({
      realm: t.Integer(),
      host: t.String(),
      client: t.String(),
      protocol: t.String(),
      address: t.Union([t.String(), t.Null()]),
    }),
  })
  settings(@AtRealm() realm: RealmId, @Info() info: RequestInfo) {
    const { host, protocol, origin } = info;
    return { realm, host, client: origin.client, protocol, address: origin.address };
  }

  @Endpoint('GET', 'events', { audience: 'anyone', returns: t.Object({ events: t.Array(t.Unknown()) }) })
  wait(@Params(WaitParams) _: WaitParams, @Info() info: RequestInfo): Promise<object> {
    return polls.wait(info.disconnected);
  }

  @Endpoint('POST', 'files', {
    audience: 'anyone',
    files: true,
    returns: t.Object({ sizes: t.Record(t.String(), t.Integer()) }),
  })
  async upload(@Info() info: RequestInfo) {
    const { name, content } = await info.file(FILE_LIMIT);
    let size = 0;
    for await (const chunk of content) size += chunk.length;
    return { sizes: { [name]: size } };
  }

  @Endpoint('PATCH', 'pictured', {
    audience: 'members',
    files: FILE_LIMIT,
    returns: t.Object({ size: t.Union([t.Integer(), t.Null()]), queue_id: t.String() }),
  })
  pictured(@Params(WaitParams) { queue_id }: WaitParams, @Info() info: RequestInfo) {
    return { size: info.attached?.length ?? null, queue_id };
  }

  @Endpoint('GET', 'broken/:thing_id', { audience: 'public', returns: null })
  broken(@Params(BrokenParams) { thing_id }: BrokenParams): void {
    throw FAILURES[thing_id] ?? new Error('secret detail');
  }

  beforeApplicationShutdown(): void {
    polls.onShutdown();
    for (const answer of polls.waiting) answer();
  }
}

const FAILURES = [
  new TypeError('secret detail'),
  Object.assign(new Error('secret detail'), { code: '57P01' }),
  Object.assign(new Error('secret detail'), { name: 'Overloaded' }),
  new Error('query failed', { cause: Object.assign(new Error('secret detail'), { code: '08006' }) }),
  new Rejected('CHANNEL_ALREADY_EXISTS', 'Taken', { channel_name: 'x' }),
  new Rejected('BAD_REQUEST', 'No such snippet', {}, true),
  Object.assign(new Error('secret detail'), { code: '23505' }),
  new ShuttingDown(),
];

@Module({
  providers: [
    { provide: Authenticator, useClass: ToyAuthenticator },
    { provide: RealmByHost, useClass: ToyRealms },
  ],
  exports: [Authenticator, RealmByHost],
})
export class PeopleModule {}

@Module({ controllers: [ToyController] })
export class ToyModule {
  static with(options: WebOptions): DynamicModule {
    return ToyModule.within(WebModule.forRoot({ imports: [PeopleModule], ...options }));
  }

  /** @param web a `WebModule` in whichever way it was made, with `PeopleModule` among its imports */
  static within(web: DynamicModule): DynamicModule {
    return { module: ToyModule, imports: [web] };
  }
}

/** A log that keeps quiet. */
export const silent = () => new JsonLog('silent');

/** A running toy application and ways to speak to it. */
export interface ToyApp {
  readonly app: INestApplication;
  readonly port: number;
  /** Lines logged so far, parsed. */
  readonly logged: Record<string, unknown>[];
  ask(method: string, path: string, options?: Ask): Promise<Answered>;
  /** Authorization header of a person of the toy organization. */
  basic(username: string, key?: string): string;
  /** Sends bytes as they are and reads until the server closes. */
  raw(bytes: string | Buffer): Promise<string>;
  close(): Promise<void>;
}

export interface Ask {
  /** Name of a person of the toy organization, or null to send no credentials. */
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

/** @param root the toy application, however its modules were put together */
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
    const sent = typeof form === 'object' ? new URLSearchParams(form).toString() : form;
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { ...(as !== null && { authorization: basic(as) }), ...typed, ...headers },
      ...((sent ?? body) !== undefined && { body: sent ?? body ?? '' }),
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
