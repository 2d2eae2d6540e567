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
import { TOKEN_TOLERANCE, endOfToken } from '../../../domain/single-sign-on/token-life';
import { Once } from '../once';
import { OfferedProviders } from '../sign-on-providers';

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
    const until = endOfToken(claims, this.kernel.clock.now(), issuer.takesLasting);
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
          clockTolerance: TOKEN_TOLERANCE,
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
