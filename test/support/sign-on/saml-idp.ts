import { randomBytes } from 'node:crypto';
import { SamlLib } from 'samlify';
import type { Certified } from './certificate';
import { certified } from './certificate';

/** One response. What is left out is right for the service. */
export interface SamlResponse {
  readonly url: string;
  readonly nameId: string;
  readonly now: number;
  readonly inResponseTo?: string;
  readonly id?: string;
  readonly format?: string;
  readonly issuer?: string;
  readonly audience?: string;
  readonly recipient?: string;
  /** Ms since the epoch. */
  readonly from?: number;
  readonly until?: number;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly signs?: 'assertion' | 'response' | 'nothing';
  readonly algorithm?: string;
  /** Of another provider. */
  readonly keys?: Certified;
}

const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
const NAMESPACES =
  'xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"';
const MINUTE = 60_000;

/** An identity provider of SAML, which signs with a library of its own. */
export class SamlIdp {
  readonly entityId = 'https://idp.example.com/metadata';
  readonly ssoUrl = 'https://idp.example.com/sso';
  readonly keys = certified('idp.example.com');

  /** The entry of the provider in the file of the server. */
  get entry() {
    const { entityId: entity_id, ssoUrl: sso_url, keys } = this;
    return { entity_id, sso_url, certificates: [keys.certificate], attributes: { email: 'email', full_name: 'name' } };
  }

  /** The id of the request in an address that the server sends a browser to. */
  static async requestIn(location: string): Promise<string> {
    const { inflateRawSync } = await import('node:zlib');
    const request = new URL(location).searchParams.get('SAMLRequest') ?? '';
    const [, id = ''] = / ID="([^"]+)"/.exec(inflateRawSync(Buffer.from(request, 'base64')).toString()) ?? [];
    return id;
  }

  /** As a form has it. */
  base64(of: SamlResponse): string {
    return Buffer.from(this.xml(of)).toString('base64');
  }

  xml(of: SamlResponse): string {
    const { signs = 'assertion', keys = this.keys, algorithm } = of;
    const raw = this.unsigned(of);
    if (signs === 'nothing') return raw;
    const path = signs === 'assertion' ? "/*[local-name()='Response']/*[local-name()='Assertion']" : '/*';
    return SamlLib.constructSAMLSignature({
      rawSamlMessage: raw,
      referenceTagXPath: path,
      privateKey: keys.privateKey,
      signingCert: keys.certificate.replaceAll(/-----.*-----|\s/g, ''),
      isBase64Output: false,
      signatureAlgorithm: algorithm ?? 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
      signatureConfig: { prefix: 'ds', location: { reference: `${path}/*[local-name()='Issuer']`, action: 'after' } },
    });
  }

  private unsigned(of: SamlResponse): string {
    const { url, nameId, now, inResponseTo, issuer = this.entityId, format = PERSISTENT } = of;
    const { audience = `${url}/saml/metadata.xml`, recipient = `${url}/complete/saml/` } = of;
    const { from = now - MINUTE, until = now + 5 * MINUTE, id = `_${randomBytes(16).toString('hex')}` } = of;
    const [at, start, end] = [now, from, until].map((time) => new Date(time).toISOString());
    const answers = inResponseTo === undefined ? '' : ` InResponseTo="${inResponseTo}"`;
    const named = `<saml:Issuer>${issuer}</saml:Issuer>`;
    const confirmation = `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData
      NotOnOrAfter="${end}" Recipient="${recipient}"${answers}/></saml:SubjectConfirmation>`;
    const attributes = Object.entries(of.attributes ?? {}).map(
      ([name, value]) =>
        `<saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`,
    );
    return `<samlp:Response ${NAMESPACES} ID="_response${id}" Version="2.0" IssueInstant="${at}" Destination="${recipient}"${answers}>${named}
      <samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>
      <saml:Assertion ID="${id}" Version="2.0" IssueInstant="${at}">${named}<saml:Subject><saml:NameID Format="${format}">${nameId}</saml:NameID>${confirmation}</saml:Subject>
      <saml:Conditions NotBefore="${start}" NotOnOrAfter="${end}"><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>
      <saml:AuthnStatement AuthnInstant="${at}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>
      <saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement></saml:Assertion></samlp:Response>`;
  }
}
