import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CannotStart, reasonOf } from '@annals/embedded';
import type { SignOnProviders } from '@annals/sign-in';
import { NO_PROVIDERS } from '@annals/sign-in';
import { Value } from '@sinclair/typebox/value';
import type { Settings } from '../settings';
import type { DevLoginSettings } from './dev-logins';
import { allowsDevLogins } from './dev-logins';
import type { SignOnFile } from './file-schema';
import { signOnFile } from './file-schema';
import { trustedHeaderOf } from './header-entry';
import { jwtIssuerOf } from './jwt-entry';
import { ldapDirectoryOf } from './ldap-entry';
import { NamedFiles, mistake } from './mistake';
import { ensureOneEach } from './offered';
import { oidcProviderOf } from './oidc-entry';
import { samlProviderOf, samlServiceOf } from './saml-entry';

export type SignOnSettings = Pick<Settings, 'ANNALS_SIGN_ON_FILE'> & DevLoginSettings;

/**
 * The ways to log in that the operator set up, with the files that the file names.
 *
 * @throws CannotStart with one sentence about the first mistake. It has no secret
 */
export function readSignOn({ ANNALS_SIGN_ON_FILE: file, ...settings }: SignOnSettings): SignOnProviders {
  const devLogins = allowsDevLogins(settings);
  if (file === undefined) return { ...NO_PROVIDERS, devLogins };
  return { ...providersOf(contentOf(file), new NamedFiles(dirname(resolve(file)))), devLogins };
}

function contentOf(file: string): SignOnFile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new CannotStart(`ANNALS_SIGN_ON_FILE cannot be read: ${reasonOf(error)}.`);
  }
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw mistake('', 'it is no JSON');
  }
  for (const { path, message } of Value.Errors(signOnFile, read)) {
    throw mistake(path, message.charAt(0).toLowerCase() + message.slice(1));
  }
  return Value.Decode(signOnFile, read);
}

function providersOf(file: SignOnFile, files: NamedFiles): Omit<SignOnProviders, 'devLogins'> {
  const entries = <Entry>(some: Readonly<Record<string, Entry>> = {}) => Object.entries(some);
  const oidc = entries(file.openid_connect).map(([name, entry]) => oidcProviderOf(name, entry, files));
  const saml = entries(file.saml).map(([name, entry]) => samlProviderOf(name, entry, files));
  const samlService = file.saml_service ? samlServiceOf(file.saml_service, files) : null;
  const jwt = entries(file.jwt).map(([name, entry]) => jwtIssuerOf(name, entry, files));
  const headers = entries(file.trusted_header).map(([name, entry]) => trustedHeaderOf(name, entry));
  const ldap = entries(file.ldap).map(([name, entry]) => ldapDirectoryOf(name, entry, files));
  ensureOneEach('jwt', jwt);
  ensureOneEach('trusted_header', headers);
  ensureOneEach('ldap', ldap);
  const signing = saml.find(({ signsRequests }) => signsRequests);
  if (signing && !samlService) throw mistake(`/saml/${signing.name}`, 'sign_requests needs saml_service');
  for (const { entityId } of saml)
    ensureOneEach(
      'saml',
      saml.filter((one) => one.entityId === entityId),
    );
  return { oidc, saml, samlService, jwt, headers, ldap };
}
