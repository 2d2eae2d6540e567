import { createSecretKey } from 'node:crypto';
import type { Kernel } from '@annals/kernel';
import { ManualClock } from '@annals/kernel/domain';
import type { Instant, RealmId } from '@annals/kernel/domain';
import type { JWTPayload } from 'jose';
import { SignJWT } from 'jose';
import { pino } from 'pino';
import type { JwtIssuer } from '../../../domain/single-sign-on/providers';
import { JwtTokens, signedPartOf } from './jwt-tokens';
import type { Once } from '../once';
import type { OfferedProviders } from '../sign-on-providers';

const KEY = 'a key of a portal with more than 32 bytes';
const NOW = Date.UTC(2026, 0, 1) as Instant;
const REALM = 1 as RealmId;

/** The email of the person of a token, at a server whose operator takes lasting tokens, or not. */
async function emailOf(claims: JWTPayload, takesLasting: boolean): Promise<string | null> {
  const token = await new SignJWT({ email: 'ann@example.com', ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(createSecretKey(KEY, 'utf8'));
  const portal = { name: 'portal', organizations: null, key: KEY, issuer: null, audience: null };
  const issuers: readonly JwtIssuer[] = [{ ...portal, algorithm: 'HS256', takesLasting }];
  const kernel = { clock: new ManualClock(NOW), options: { log: pino({ level: 'silent' }) } } as unknown as Kernel;
  const providers = { of: async () => issuers } as unknown as OfferedProviders;
  const once = { isFirstUse: async () => true } as unknown as Once;
  return (await new JwtTokens(kernel, providers, once).personOf(REALM, token)).verifiedEmail;
}

describe('a JSON Web Token', () => {
  it('without an end is of use only where the operator takes lasting ones', async () => {
    for (const claims of [{}, { exp: NOW / 1000 + 365 * 86_400 }, { iat: NOW / 1000 - 365 * 86_400 }]) {
      await expect(emailOf(claims, false)).rejects.toThrow('Bad JSON web token');
      expect(await emailOf(claims, true)).toBe('ann@example.com');
    }
  });

  it('with an end, or made a moment ago, is of use everywhere', async () => {
    for (const claims of [{ exp: NOW / 1000 + 60 }, { iat: NOW / 1000 }]) {
      expect(await emailOf(claims, false)).toBe('ann@example.com');
      expect(await emailOf(claims, true)).toBe('ann@example.com');
    }
  });
});

describe('the signed part of a token', () => {
  it('is the same however the signature is written', () => {
    for (const end of ['.c2ln', '.c2ln ', '.c2ln==', '. c2l n', ''])
      expect(signedPartOf(`aGVhZA.Ym9keQ${end}`)).toBe('aGVhZA.Ym9keQ');
  });
});
