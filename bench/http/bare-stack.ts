import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { reportReady, whenLauncherEnds } from '@annals/embedded';
import type { Credentials, NamedAccount, PresentedKey, RealmFront } from '@annals/kernel';
import { Authenticator, JsonLog, RealmByHost, RealmFronts, RealmQuotas } from '@annals/kernel';
import type { Actor, RealmId, UserId } from '@annals/kernel/domain';
import { ReadyJson, Rejected, Role, t } from '@annals/kernel/domain';
import { By, Endpoint, IntegerParam, Params, TextParam, WebModule, WordParam, createHttpApp } from '@annals/web';
import { Controller, Module } from '@nestjs/common';
import { LOCAL_KEY } from './local-key';

const REALM = 1 as RealmId;

class OneAccount extends Authenticator {
  override async authenticate({ password, origin }: Credentials): Promise<Actor> {
    if (password !== LOCAL_KEY) throw new Rejected('INVALID_API_KEY', 'Invalid API key');
    return {
      realmId: REALM,
      userId: 7 as UserId,
      role: Role.member,
      botType: null,
      botOwnerId: null,
      groups: new Set(),
      version: 1,
      canCreateUsers: false,
      canChangeUserEmails: false,
      origin,
    };
  }

  override authenticateKey({ key, ...rest }: PresentedKey): Promise<Actor> {
    return this.authenticate({ ...rest, username: '', password: key });
  }

  override async authenticateSession(): Promise<null> {
    return null;
  }

  override async accountNamed(): Promise<NamedAccount> {
    return { realmId: REALM, userId: 7 as UserId };
  }
}

class OneRealm extends RealmByHost {
  override async realmOf(): Promise<RealmId> {
    return REALM;
  }
}

class OneFront extends RealmFronts {
  override async of(): Promise<RealmFront> {
    return { name: 'One', language: 'en' };
  }
}

class NoQuotas extends RealmQuotas {
  override async requestsPerMinute(): Promise<null> {
    return null;
  }

  override async ensureRoomInLog(): Promise<void> {}
}

@Module({
  providers: [
    { provide: Authenticator, useClass: OneAccount },
    { provide: RealmByHost, useClass: OneRealm },
    { provide: RealmFronts, useClass: OneFront },
    { provide: RealmQuotas, useClass: NoQuotas },
  ],
  exports: [Authenticator, RealmByHost, RealmFronts, RealmQuotas],
})
class AccountModule {}

class SendParams {
  @WordParam(['channel', 'direct']) type: string;
  @TextParam() to: string;
  @TextParam() topic: string;
  @TextParam({ trim: true, min: 1, max: 10_000 }) content: string;
}

class ReadParams {
  @IntegerParam({ min: 0, max: 10_000_000 }) bytes: number;
}

@Controller()
class NothingController {
  /** Sends as many bytes as a page of messages has. */
  @Endpoint('GET', 'messages', { audience: 'anyone', returns: t.Object({ messages: t.Unknown() }) })
  read(@By() _: Actor, @Params(ReadParams) { bytes }: ReadParams) {
    return { messages: new ReadyJson(`"${'x'.repeat(bytes)}"`) };
  }

  /** Takes what sending a message takes, and keeps nothing of it. */
  @Endpoint('POST', 'messages', { audience: 'anyone', returns: t.Object({ id: t.Integer() }) })
  send(@By() by: Actor, @Params(SendParams) { content }: SendParams) {
    return { id: by.userId + content.length };
  }
}

@Module({
  imports: [WebModule.forRoot({ rateLimits: false, imports: [AccountModule] })],
  controllers: [NothingController],
})
class BareModule {}

/** The limit for HTTP: the guard, parameters, envelope, log and metrics of the real server, and nothing behind them. */
async function main(): Promise<void> {
  const app = await createHttpApp(BareModule, { log: new JsonLog('info') });
  whenLauncherEnds(() => void app.close());
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  reportReady(`http://127.0.0.1:${port}`);
}

void main();
