import type { Actor } from '@annals/kernel/domain';
import { rejection } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { BasicStrategy } from 'passport-http';
import { isUnstorable } from '../params/text';
import type { WebRequest } from '../request';
import { endpointOf, hostOf, originOf } from '../request';

const invalidKey = rejection('INVALID_API_KEY', 'Invalid API key', { onPages: 'wrongLogin' });

/**
 * HTTP Basic with an API key as the password (contract/conventions.md section 3). Passport keeps its strategies for the
 * whole process, so this one has no state: each request has the authenticator of its application.
 */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(BasicStrategy, 'basic') {
  constructor() {
    super({ passReqToCallback: true });
  }

  /** @throws Rejected the refusal of the authenticator. INVALID_API_KEY for an email that no account can have */
  async validate(request: WebRequest, username: string, password: string): Promise<Actor> {
    if (isUnstorable(username) || isUnstorable(password)) throw invalidKey();
    if (!request.authenticator) throw new Error('The request did not pass ApiAuthGuard');
    const { maxAgeMs } = endpointOf(request) ?? {};
    return request.authenticator.authenticate({
      host: hostOf(request),
      username,
      password,
      origin: originOf(request),
      ...(maxAgeMs !== undefined && { maxAgeMs }),
    });
  }
}
