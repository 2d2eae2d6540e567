import { Module } from '@nestjs/common';
import type { Actor, RealmId, UserId } from '@annals/kernel/domain';
import { Rejected, Role } from '@annals/kernel/domain';
import type { Credentials, NamedAccount, PresentedKey, PresentedSession, RealmFront } from '@annals/kernel';
import { Authenticator, RealmByHost, RealmFronts, RealmQuotas } from '@annals/kernel';

export const KEY = 'k'.repeat(32);
const REALM = 1 as RealmId;
/** The one of `other.` hosts. It has the same people. */
const OTHER_REALM = 2 as RealmId;

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

  /** The key of an account is its name. */
  override authenticateKey({ key, ...rest }: PresentedKey): Promise<Actor> {
    return this.authenticate({ ...rest, username: key, password: KEY });
  }

  /** The cookie of a session is the name of its account. */
  override async authenticateSession({ cookie, ...rest }: PresentedSession): Promise<Actor | null> {
    return cookie in PEOPLE ? this.authenticate({ ...rest, username: cookie, password: KEY }) : null;
  }

  override async accountNamed({ username }: Credentials): Promise<NamedAccount> {
    return { realmId: REALM, userId: PEOPLE[username.split('@')[0] ?? '']?.userId ?? null };
  }
}

class ToyRealms extends RealmByHost {
  override async realmOf(host: string): Promise<RealmId> {
    if (host.startsWith('nowhere.')) throw new Rejected('NONEXISTENT_SUBDOMAIN', 'Invalid subdomain');
    return host.startsWith('other.') ? OTHER_REALM : REALM;
  }
}

class ToyFronts extends RealmFronts {
  override async of(): Promise<RealmFront> {
    return { name: 'Toys & <b>Tea</b>', language: 'en' };
  }
}

class ToyQuotas extends RealmQuotas {
  override async requestsPerMinute(): Promise<null> {
    return null;
  }

  override async ensureRoomInLog(): Promise<void> {}
}

@Module({
  providers: [
    { provide: RealmQuotas, useClass: ToyQuotas },
    { provide: Authenticator, useClass: ToyAuthenticator },
    { provide: RealmByHost, useClass: ToyRealms },
    { provide: RealmFronts, useClass: ToyFronts },
  ],
  exports: [Authenticator, RealmByHost, RealmFronts, RealmQuotas],
})
export class PeopleModule {}
