import type { Actor } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { By, Endpoint, Params, PathId } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { EndApiKey } from '../../application/sign-in/end-key';
import { EndSession } from '../../application/sign-in/log-in-browser';
import type { OwnKey, OwnSession } from '../../read/sign-in/own-logins';
import { GetOwnLogins } from '../../read/sign-in/own-logins';

class SessionParams {
  @PathId() session_id: number;
}

class KeyParams {
  @PathId() key_id: number;
}

const login = {
  id: t.Integer(),
  client: t.String({ description: 'The name of the program that logged in.' }),
  created_at: t.Integer({ description: 'Seconds since the epoch.' }),
  address: t.Union([t.String(), t.Null()], { description: 'The address that the login came from.' }),
  is_current: t.Boolean({ description: 'Whether it is that of this request.' }),
};
const keyShape = t.Object({ ...login, last_used_at: t.Union([t.Integer(), t.Null()]) }, { $id: 'OwnApiKey' });
const sessionShape = t.Object({ ...login, last_used_at: t.Integer(), method: t.String() }, { $id: 'OwnSession' });

/** The API keys and the sessions of one's own account: where it is logged in. */
@Controller()
export class OwnLoginsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Endpoint('GET', 'users/me/api_keys', {
    audience: 'anyone',
    summary: 'The programs that are logged in to your account',
    returns: t.Object({ api_keys: t.Array(keyShape) }),
  })
  async keys(@By() by: Actor) {
    const { keys } = await this.queries.execute(new GetOwnLogins(by));
    return { api_keys: keys.map((key) => ({ ...presented(key), last_used_at: key.usedAt && seconds(key.usedAt) })) };
  }

  @Endpoint('DELETE', 'users/me/api_keys/:key_id', {
    audience: 'anyone',
    summary: 'Log one program out',
    command: 'EndApiKey',
    evenIfFull: true,
    returns: null,
  })
  endKey(@By() by: Actor, @Params(KeyParams) { key_id }: KeyParams): Promise<void> {
    return this.commands.execute(new EndApiKey(by, key_id));
  }

  @Endpoint('GET', 'users/me/sessions', {
    audience: 'anyone',
    summary: 'The browsers that are logged in to your account',
    returns: t.Object({ sessions: t.Array(sessionShape) }),
  })
  async sessions(@By() by: Actor) {
    const { sessions } = await this.queries.execute(new GetOwnLogins(by));
    const shown = (one: OwnSession) => ({ ...presented(one), last_used_at: seconds(one.usedAt), method: one.method });
    return { sessions: sessions.map(shown) };
  }

  @Endpoint('DELETE', 'users/me/sessions/:session_id', {
    audience: 'anyone',
    summary: 'Log one browser out',
    command: 'EndSession',
    evenIfFull: true,
    returns: null,
  })
  endSession(@By() by: Actor, @Params(SessionParams) { session_id }: SessionParams): Promise<void> {
    return this.commands.execute(new EndSession(by, session_id));
  }
}

const seconds = (ms: number) => Math.floor(ms / 1000);

const presented = ({ id, client, beganAt, address, isCurrent }: OwnKey | OwnSession) => ({
  id,
  client,
  created_at: seconds(beganAt),
  address,
  is_current: isCurrent,
});
