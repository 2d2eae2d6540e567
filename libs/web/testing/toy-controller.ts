import type { Actor, RealmId } from '@annals/kernel/domain';
import { Rejected, t } from '@annals/kernel/domain';
import { Controller } from '@nestjs/common';
import { ShuttingDown } from '@annals/kernel';
import { Endpoint, Params } from '../src/endpoint';
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
import { polls } from './polls';

const FILE_LIMIT = { maxBytes: 3 * 1024 * 1024, tooLarge: () => new Rejected('BAD_REQUEST', 'Too large') };

class DeliveryParams {
  @TextParam() api_key: string;
  @TextParam({ optional: true }) stream?: string;
}

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

  @Endpoint('POST', 'deliveries', {
    audience: 'webhooks',
    payload: true,
    returns: t.Object({ payload: t.Unknown(), stream: t.Optional(t.String()), event: t.Optional(t.String()) }),
  })
  async deliver(@Params(DeliveryParams) { stream }: DeliveryParams, @Info() info: RequestInfo) {
    return { payload: await info.payload(), stream, event: info.header('X-Toy-Event') };
  }

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
  new Rejected('BAD_REQUEST', 'No such snippet', {}, { notFound: true }),
  Object.assign(new Error('secret detail'), { code: '23505' }),
  new ShuttingDown(),
];
