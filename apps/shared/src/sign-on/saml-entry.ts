import { X509Certificate, createPrivateKey } from 'node:crypto';
import type { SamlProvider, SamlService } from '@annals/sign-in';
import type { SamlEntry, SamlServiceEntry } from './file-schema';
import type { NamedFiles } from './mistake';
import { mistake } from './mistake';
import { buttonOf, ensureSecureUrl, offeredOf } from './offered';
import { readSamlMetadata } from './saml-metadata';

/** @throws CannotStart for what no identity provider of SAML can have */
export function samlProviderOf(name: string, entry: SamlEntry, files: NamedFiles): SamlProvider {
  const where = `/saml/${name}`;
  const found = entry.metadata_file === undefined ? null : metadataOf(entry, entry.metadata_file, { where, files });
  const entityId = entry.entity_id ?? found?.entityId;
  const ssoUrl = entry.sso_url ?? found?.ssoUrl;
  const certificates = [
    ...(entry.certificates ?? []),
    ...(entry.certificate_files ?? []).map((file) => files.read(file, where)),
    ...(found?.certificates ?? []),
  ];
  if (entityId === undefined || ssoUrl === undefined || certificates.length === 0) {
    throw mistake(where, 'it needs metadata_file, or entity_id, sso_url and certificates');
  }
  ensureSecureUrl(ssoUrl, where, 'sso_url');
  return {
    ...offeredOf(name, entry),
    ...buttonOf(entry, where, 'SAML'),
    entityId,
    ssoUrl,
    certificates: certificates.map((one) => certificateOf(one, where)),
    attributes: attributesOf(entry.attributes),
    allEmailsVerified: entry.all_emails_verified ?? false,
    isIdpInitiated: entry.idp_initiated ?? false,
    signsRequests: entry.sign_requests ?? false,
  };
}

function attributesOf(given: SamlEntry['attributes']): SamlProvider['attributes'] {
  const {
    email = null,
    full_name: fullName = null,
    first_name: firstName = null,
    last_name: lastName = null,
  } = given ?? {};
  return { email, fullName, firstName, lastName };
}

/** @throws CannotStart unless both files belong together */
export function samlServiceOf(entry: SamlServiceEntry, files: NamedFiles): SamlService {
  const where = '/saml_service';
  const certificate = certificateOf(files.read(entry.certificate_file, where), where);
  const privateKey = files.read(entry.private_key_file, where);
  let belongs: boolean;
  try {
    belongs = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(privateKey));
  } catch {
    throw mistake(where, 'private_key_file must be an unencrypted private key in PEM form');
  }
  if (!belongs) throw mistake(where, 'the certificate is of another private key');
  return { privateKey, certificate };
}

function metadataOf(
  entry: SamlEntry,
  file: string,
  { where, files }: { readonly where: string; readonly files: NamedFiles },
) {
  const all = readSamlMetadata(files.read(file, where));
  const found = entry.entity_id === undefined ? all : all.filter(({ entityId }) => entityId === entry.entity_id);
  const [one] = found;
  if (!one || found.length > 1) {
    throw mistake(
      where,
      `${file} must describe one identity provider with HTTP-Redirect; entity_id chooses among them`,
    );
  }
  return one;
}

/** PEM of a certificate that is given as PEM, or as its base64 text alone. */
function certificateOf(given: string, where: string): string {
  const pem = given.includes('-----BEGIN')
    ? given.trim()
    : `-----BEGIN CERTIFICATE-----\n${given.replaceAll(/\s/g, '')}\n-----END CERTIFICATE-----`;
  try {
    return new X509Certificate(pem).toString();
  } catch {
    throw mistake(where, 'a certificate is not X.509 in PEM form');
  }
}
