import type { Actor, Origin, RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { BasicStrategy } from 'passport-http';
import type { WebRequest } from './request';
import { hostOf, originOf } from './request';

/** What a caller presents. */
export interface Credentials {
  /** Host name in lower case without its port. */
  readonly host: string;
  readonly username: string;
  /** The API key, as it was sent. */
  readonly password: string;
  readonly origin: Origin;
}

/** Finds the account behind a key; provided by the users context. */
export abstract class Authenticator {
  /** @throws Rejected INVALID_API_KEY, USER_DEACTIVATED, REALM_DEACTIVATED or NONEXISTENT_SUBDOMAIN */
  abstract authenticate(credentials: Credentials): Promise<Actor>;
}

/** Finds the organization of a host name; provided by the realm context. */
export abstract class RealmByHost {
  /** @throws Rejected NONEXISTENT_SUBDOMAIN when no organization has this host */
  abstract realmOf(host: string): Promise<RealmId>;
}

/**
 * HTTP Basic with an API key as the password (contract/conventions.md section 3). Passport keeps its strategies for the
 * whole process, so this one holds nothing: each request brings the authenticator of its application.
 */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(BasicStrategy, 'basic') {
  constructor() {
    super({ passReqToCallback: true });
  }

  validate(request: WebRequest, username: string, password: string): Promise<Actor> {
    if (!request.authenticator) throw new Error('The request did not come through the door');
    return request.authenticator.authenticate({
      host: hostOf(request),
      username,
      password,
      origin: originOf(request),
    });
  }
}
