import { createPublicKey, createSecretKey } from 'node:crypto';
import { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { JWTPayload } from 'jose';
import { jwtVerify } from 'jose';
import { addressOf } from '../../../domain/single-sign-on/addresses';
import type { ProvenPerson } from '../../../domain/single-sign-on/flow';
import type { JwtIssuer } from '../../../domain/single-sign-on/providers';
import { reject } from '../../../domain/single-sign-on/sign-on-rejections';
import { Once } from '../once';
import { OfferedProviders } from '../sign-on-providers';

/** Seconds by which the clocks may differ. */
const TOLERANCE = 30;
/** How long a token that names itself is remembered at most, for example if it does not expire. */
const FOREVER_MS = 10 * 365 * 24 * 60 * 60_000;

/** JSON Web Tokens with which another system logs people in. */
@Injectable()
export class JwtTokens {
  constructor(
    private readonly kernel: Kernel,
    private readonly providers: OfferedProviders,
    private readonly once: Once,
  ) {}

  /**
   * The person whom a token names. A token with `jti` counts once.
   *
   * @throws Rejected for a token that is not valid here and now
   */
  async personOf(realmId: RealmId, token: string): Promise<ProvenPerson> {
    const [issuer] = await this.providers.of('jwt', realmId);
    if (!issuer) throw reject.jwtOff();
    if (token === '') throw reject.jwtMissing();
    const claims = await this.claimsOf(issuer, token);
    const until = rememberedUntil(claims, this.kernel.clock.now());
    if (!(await this.isFirstUse(realmId, claims, until))) throw reject.jwtBad();
    if (claims['email'] === undefined) throw reject.jwtWithoutEmail();
    const { name: fullName } = claims as { name?: unknown };
    return {
      method: 'JWT',
      provider: issuer.name,
      identity: null,
      verifiedEmail: addressOf(claims['email']),
      fullName: typeof fullName === 'string' && fullName.trim() !== '' ? fullName.trim() : null,
      joinsAtOnce: false,
    };
  }

  private async claimsOf({ name, algorithm, key, issuer, audience }: JwtIssuer, token: string): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(
        token,
        algorithm === 'HS256' ? createSecretKey(key, 'utf8') : createPublicKey(key),
        {
          algorithms: [algorithm],
          currentDate: new Date(this.kernel.clock.now()),
          clockTolerance: TOLERANCE,
          ...(issuer !== null && { issuer }),
          ...(audience !== null && { audience }),
        },
      );
      return payload;
    } catch (error) {
      this.kernel.options.log.info(
        { provider: name, reason: (error as Error).message },
        'A JSON Web Token was refused',
      );
      throw reject.jwtBad();
    }
  }

  private async isFirstUse(realmId: RealmId, { jti }: JWTPayload, until: number): Promise<boolean> {
    if (jti === undefined) return true;
    if (typeof jti !== 'string') throw reject.jwtBad();
    return this.once.isFirstUse(realmId, 'jwt', jti, until);
  }
}

/** When a token is not accepted any more. @throws Rejected for one that is valid longer than it could be remembered */
function rememberedUntil({ exp }: JWTPayload, now: number): number {
  const latest = now + FOREVER_MS;
  if (exp === undefined) return latest;
  // RFC 7519 allows parts of seconds.
  const until = Math.ceil((exp + TOLERANCE + 1) * 1000);
  if (until > latest) throw reject.jwtEndless();
  return until;
}
