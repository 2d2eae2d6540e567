import type { OidcProvider } from '@annals/sign-in';
import type { OidcEntry } from './file-schema';
import type { NamedFiles } from './mistake';
import { buttonOf, ensureSecureUrl, offeredOf } from './offered';

/** @throws CannotStart for what no provider of OpenID Connect can have */
export function oidcProviderOf(name: string, entry: OidcEntry, files: NamedFiles): OidcProvider {
  const where = `/openid_connect/${name}`;
  ensureSecureUrl(entry.issuer, where, 'issuer');
  const { email = 'email', email_verified: emailVerified = 'email_verified', full_name } = entry.claims ?? {};
  const scopes = entry.scopes ?? ['email', 'profile'];
  return {
    ...offeredOf(name, entry),
    ...buttonOf(entry, where, 'OpenID Connect'),
    issuer: entry.issuer,
    clientId: entry.client_id,
    clientSecret: files.secret(entry.client_secret, entry.client_secret_file, { where, name: 'client_secret' }),
    scopes: [...new Set(['openid', ...scopes])],
    claims: { email, emailVerified, fullName: full_name ?? 'name' },
    allEmailsVerified: entry.all_emails_verified ?? false,
  };
}
