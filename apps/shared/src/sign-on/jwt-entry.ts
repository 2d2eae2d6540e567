import type { KeyObject } from 'node:crypto';
import { createPublicKey } from 'node:crypto';
import type { JwtIssuer } from '@annals/sign-in';
import type { JwtEntry } from './file-schema';
import type { NamedFiles } from './mistake';
import { mistake } from './mistake';
import { offeredOf } from './offered';

/** As many bytes as the digest of HS256 has. A shorter secret is weaker than the algorithm. */
const MIN_SECRET = 32;
const MIN_RSA_BITS = 2048;

/** @throws CannotStart for a key that does not suit the algorithm */
export function jwtIssuerOf(name: string, entry: JwtEntry, files: NamedFiles): JwtIssuer {
  const where = `/jwt/${name}`;
  const { algorithm, issuer = null, audience = null, lasting_tokens: takesLasting = false } = entry;
  const key = files.secret(entry.key, entry.key_file, { where, name: 'key' });
  if (algorithm === 'HS256') ensureSecret(key, where);
  else ensurePublicKey(key, algorithm, where);
  return { ...offeredOf(name, entry), algorithm, key, issuer, audience, takesLasting };
}

function ensureSecret(text: string, where: string): void {
  // A public key as a secret is a mistake that lets everybody who knows it make tokens.
  if (text.includes('-----BEGIN')) throw mistake(where, 'the key of HS256 is a secret text and no key in PEM form');
  if (Buffer.byteLength(text) < MIN_SECRET) throw mistake(where, `the key needs at least ${MIN_SECRET} bytes`);
}

function ensurePublicKey(text: string, algorithm: 'RS256' | 'ES256', where: string): void {
  if (text.includes('PRIVATE KEY')) throw mistake(where, 'the key must be the public one');
  let key: KeyObject;
  try {
    key = createPublicKey(text);
  } catch {
    throw mistake(where, 'the key must be a public key in PEM form');
  }
  if (!suits(key, algorithm)) {
    throw mistake(where, algorithm === 'RS256' ? 'RS256 needs an RSA key of 2048 bits' : 'ES256 needs a key of P-256');
  }
}

function suits({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject, algorithm: 'RS256' | 'ES256'): boolean {
  return algorithm === 'RS256'
    ? asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS
    : asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1';
}
