import type { Actor } from '@annals/kernel/domain';
import { rejection } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { WebRequest } from '../request';
import { endpointOf } from '../request';
import { ApiKeyStrategy } from './api-key-strategy';

const reject = {
  notLoggedIn: rejection('UNAUTHORIZED', 'Not logged in: API authentication or user session required', {
    onPages: 'notLoggedIn',
  }),
  malformedHeader: rejection('UNAUTHORIZED', 'Invalid authorization header for basic auth', { onPages: 'wrongLogin' }),
  malformedKey: rejection('INVALID_API_KEY', 'Malformed API key', { onPages: 'wrongLogin' }),
  noPublicAccess: rejection('UNAUTHENTICATED_USER', 'Not logged in: API authentication or user session required'),
};

/** What a strategy calls when it has a result: Passport's interface for strategies. */
interface Outcome {
  success(actor: Actor): void;
  /** The credentials are missing or malformed. */
  fail(): void;
  error(error: unknown): void;
}

/**
 * Runs the strategy for one request after another.
 *
 * `passport.authenticate` is not used: it adds nine functions to a new copy of the strategy for each request, whose memory
 * outlives scavenges, together with the whole request (decision 53).
 */
@Injectable()
export class BasicLogin {
  private readonly attempt: new (settle: (actor: Actor | null) => void, refuse: (error: unknown) => void) => Outcome;

  constructor(private readonly strategy: ApiKeyStrategy) {
    class Attempt implements Outcome {
      constructor(
        private readonly settle: (actor: Actor | null) => void,
        private readonly refuse: (error: unknown) => void,
      ) {}

      success(actor: Actor): void {
        this.settle(actor);
      }

      fail(): void {
        this.settle(null);
      }

      error(error: unknown): void {
        this.refuse(error);
      }
    }
    // The strategy finds its own properties through an attempt, as it does with Passport.
    Object.setPrototypeOf(Attempt.prototype, strategy);
    this.attempt = Attempt;
  }

  /**
   * The account whose email and key the request has.
   *
   * @throws Rejected UNAUTHORIZED or INVALID_API_KEY for a header that is missing or malformed, UNAUTHENTICATED_USER where
   *   visitors may be admitted, and the refusals of the authenticator
   */
  async of(request: WebRequest): Promise<Actor> {
    const actor = await new Promise<Actor | null>((settle, refuse) => {
      this.strategy.authenticate.call(new this.attempt(settle, refuse) as never, request as never);
    });
    return actor ?? refuse(request);
  }
}

function refuse(request: WebRequest): never {
  const { authorization } = request.headers;
  if (authorization !== undefined) throw isBasic(authorization) ? reject.malformedKey() : reject.malformedHeader();
  throw endpointOf(request)?.audience === 'public-access' ? reject.noPublicAccess() : reject.notLoggedIn();
}

/** An email and a key. The strategy takes them for missing credentials if one of them is empty. */
const isBasic = (authorization: string) =>
  /^basic /i.test(authorization) && Buffer.from(authorization.slice(6), 'base64').toString().includes(':');
