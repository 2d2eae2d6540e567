import { SAML } from '@node-saml/node-saml';
import type { CheckedAssertion, ExpectedAssertion, XmlElement } from '../../../domain/single-sign-on/saml-assertion';
import { checkedAssertion } from '../../../domain/single-sign-on/saml-assertion';
import type { SamlProvider, SamlService } from '../../../domain/single-sign-on/providers';
import { issuerOf } from './saml-issuer';

/** An organization as a service of SAML. */
export interface SamlSite {
  /** The address of its metadata, which is also its name. */
  readonly entityId: string;
  /** Where providers send people back to. */
  readonly acs: string;
}

export const SAML_ACS = '/complete/saml/';
export const SAML_METADATA = '/saml/metadata.xml';

/** @param url address of the organization */
export const siteAt = (url: string): SamlSite => ({ entityId: `${url}${SAML_METADATA}`, acs: `${url}${SAML_ACS}` });

/** Greatest length of a response in base64. Responses with many groups have some 100,000. */
const MAX_RESPONSE = 500_000;
/** Digests and signatures that can be forged. */
const WEAK = /xmldsig#(rsa-|dsa-|hmac-)?sha1|xmldsig-more#(rsa-)?md5/;

/** The address of the provider with a request for a login. @param id of the request */
export function requestUrl(
  provider: SamlProvider,
  site: SamlSite,
  { id, service }: { readonly id: string; readonly service: SamlService | null },
): Promise<string> {
  const signing = provider.signsRequests && service ? { privateKey: service.privateKey } : {};
  return client(provider, site, { ...signing, generateUniqueId: () => id }).getAuthorizeUrlAsync('', undefined, {});
}

/**
 * The provider that claims to have sent a response.
 *
 * @throws Error for what is no response
 */
export function senderOf(response: string, providers: readonly SamlProvider[]): SamlProvider {
  if (response.length > MAX_RESPONSE) throw new Error('the response is too long');
  const xml = Buffer.from(response, 'base64').toString('utf8');
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) throw new Error('the response has a document type');
  if (WEAK.test(xml)) throw new Error('the response is signed with SHA-1');
  const issuer = issuerOf(xml);
  const provider = providers.find(({ entityId }) => entityId === issuer);
  if (!provider) throw new Error('the issuer is none of the providers');
  return provider;
}

/**
 * The assertion of a response. The response or the assertion must be signed by the provider, and only what is signed counts.
 *
 * @throws Error that says what is wrong with it, for the operator
 */
export async function assertionIn(
  response: string,
  provider: SamlProvider,
  { site, now }: { readonly site: SamlSite; readonly now: number },
): Promise<CheckedAssertion> {
  const { profile } = await client(provider, site).validatePostResponseAsync({ SAMLResponse: response });
  const parsed = profile?.getAssertion?.() as { readonly Assertion?: XmlElement } | undefined;
  if (!parsed?.Assertion) throw new Error('the response has no assertion');
  const expected: ExpectedAssertion = { audience: site.entityId, recipient: site.acs, now };
  return checkedAssertion(provider, parsed.Assertion, expected);
}

/** What a provider must know about the organization. */
export function metadataOf(site: SamlSite, service: SamlService | null): string {
  const certificates = service ? { privateKey: service.privateKey, publicCerts: service.certificate } : {};
  const any: SamlProvider = { ...NOBODY, signsRequests: service !== null };
  return client(any, site, certificates).generateServiceProviderMetadata(null, service?.certificate ?? null);
}

/** The library verifies signatures. Times, audience and recipient are checked by our own clock and rules. */
const client = (provider: SamlProvider, { entityId, acs }: SamlSite, more: object = {}): SAML =>
  new SAML({
    idpCert: [...provider.certificates],
    entryPoint: provider.ssoUrl,
    issuer: entityId,
    callbackUrl: acs,
    audience: false,
    acceptedClockSkewMs: -1,
    wantAuthnResponseSigned: false,
    wantAssertionsSigned: false,
    disableRequestedAuthnContext: true,
    identifierFormat: null,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    ...more,
  });

/** For metadata, which names no provider. */
const NOBODY: SamlProvider = {
  name: '',
  organizations: null,
  displayName: '',
  displayIcon: null,
  joinsAtOnce: false,
  entityId: '',
  ssoUrl: 'https://nobody.invalid',
  certificates: ['nobody'],
  attributes: { email: null, fullName: null, firstName: null, lastName: null },
  allEmailsVerified: false,
  isIdpInitiated: false,
  signsRequests: false,
};
