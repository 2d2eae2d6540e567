import { createPublicKey, createSecretKey } from 'node:crypto';
import { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
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
    const until = this.endOf(issuer, claims);
    if (!(await this.isFirstUse(realmId, claims, until)))
      throw this.refused(issuer, 'its jti was used before, or is no text', reject.jwtBad());
    if (claims['email'] === undefined) throw this.refused(issuer, 'it has no email', reject.jwtWithoutEmail());
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

  private async claimsOf(from: JwtIssuer, token: string): Promise<JWTPayload> {
    const { algorithm, key, issuer, audience } = from;
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
      throw this.refused(from, (error as Error).message, reject.jwtBad());
    }
  }

  private endOf(from: JwtIssuer, { exp, iat }: JWTPayload): number {
    try {
      return endOfToken({ exp, iat }, this.kernel.clock.now(), from.takesLasting);
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      throw this.refused(from, `"exp" is ${exp ?? 'missing'} and "iat" is ${iat ?? 'missing'}`, error);
    }
  }

  /** For the operator. A page tells its visitor less. */
  private refused({ name: provider }: JwtIssuer, reason: string, refusal: Rejected): Rejected {
    this.kernel.options.log.info({ provider, reason }, 'A JSON Web Token was refused');
    return refusal;
  }

  private async isFirstUse(realmId: RealmId, { jti }: JWTPayload, until: number): Promise<boolean> {
    if (jti === undefined) return true;
    return typeof jti === 'string' && this.once.isFirstUse(realmId, 'jwt', jti, until);
  }
}

/** A token without its signature, which may be written in many ways. */
export const signedPartOf = (token: string): string => token.split('.', 2).join('.');
