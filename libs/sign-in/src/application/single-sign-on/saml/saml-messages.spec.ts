import { certified } from '../../../../../../test/support/sign-on/certificate';
import type { SamlResponse } from '../../../../../../test/support/sign-on/saml-idp';
import { SamlIdp } from '../../../../../../test/support/sign-on/saml-idp';
import type { SamlProvider } from '../../../domain/single-sign-on/providers';
import { assertionIn, metadataOf, requestUrl, senderOf, siteAt } from './saml-messages';

const URL_OF_ORGANIZATION = 'https://chat.example.com';
const SITE = siteAt(URL_OF_ORGANIZATION);
const NOW = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const idp = new SamlIdp();
const stranger = certified('evil.example.com');
const service = certified('chat.example.com');
const provider: SamlProvider = {
  name: 'okta',
  organizations: null,
  displayName: 'Okta',
  displayIcon: null,
  joinsAtOnce: false,
  entityId: idp.entityId,
  ssoUrl: idp.ssoUrl,
  certificates: [stranger.certificate, idp.keys.certificate],
  attributes: { email: 'email', fullName: null, firstName: 'first', lastName: 'last' },
  allEmailsVerified: true,
  isIdpInitiated: false,
  signsRequests: false,
};

const of = (more: Partial<SamlResponse> = {}): SamlResponse => ({
  url: URL_OF_ORGANIZATION,
  nameId: 'ann-0815',
  now: NOW,
  inResponseTo: '_request',
  attributes: { email: 'ann@example.com', first: 'Ann', last: 'Example' },
  ...more,
});
const check = async (
  xml: string,
  now = NOW,
  of: SamlProvider = { ...provider, certificates: [idp.keys.certificate] },
) => {
  const response = Buffer.from(xml).toString('base64');
  return assertionIn(response, senderOf(response, [of]), { site: SITE, now });
};
const accept = (more: Partial<SamlResponse> = {}) => check(idp.xml(of(more)));

describe('a response of SAML', () => {
  it.each(['assertion', 'response'] as const)('is accepted with a signature of the %s', async (signs) => {
    expect(await accept({ signs, id: '_one' })).toEqual({
      id: '_one',
      inResponseTo: '_request',
      until: NOW + 6 * MINUTE,
      person: {
        method: 'SAML',
        provider: 'okta',
        identity: { issuer: `saml:${idp.entityId}`, subject: 'ann-0815' },
        verifiedEmail: 'ann@example.com',
        fullName: 'Ann Example',
        joinsAtOnce: false,
      },
    });
  });

  it('is accepted with any of the certificates, while the provider changes its own', async () => {
    expect((await check(idp.xml(of()), NOW, provider)).person.verifiedEmail).toBe('ann@example.com');
  });

  it.each<[string, string | null]>([
    ['an attribute', 'email'],
    ['the name', null],
  ])('has no verified address, in %s, unless the operator vouches for all of the provider', async (_, email) => {
    const attributes = { ...provider.attributes, email };
    const careless = { ...provider, attributes, certificates: [idp.keys.certificate], allEmailsVerified: false };
    const { person } = await check(idp.xml(of({ nameId: 'ann@example.com' })), NOW, careless);
    expect([person.verifiedEmail, person.identity?.subject]).toEqual([null, 'ann@example.com']);
  });

  it('links nobody by a name that is another one each time', async () => {
    const format = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
    expect((await accept({ format })).person.identity).toBeNull();
  });

  it('is accepted while the clocks differ by less than a minute', async () => {
    expect((await accept({ from: NOW + 59_000 })).id).toMatch(/^_/);
    expect((await accept({ until: NOW - 59_000 })).id).toMatch(/^_/);
  });

  it.each<[string, Partial<SamlResponse>, RegExp]>([
    ['without a signature', { signs: 'nothing' }, /signature/i],
    ['signed by somebody else', { keys: stranger }, /signature/i],
    ['signed with SHA-1', { algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }, /SHA-1/],
    ['that expired', { until: NOW - MINUTE }, /has expired/],
    ['that is not valid yet', { from: NOW + 2 * MINUTE, until: NOW + 5 * MINUTE }, /not valid yet/],
    ['for another service', { audience: 'https://other.example.com' }, /audience/],
    ['for another address', { recipient: 'https://evil.example.com/' }, /recipient/],
    ['of another provider', { issuer: 'https://other.example.com' }, /none of the providers/],
    ['about nobody', { nameId: ' ' }, /NameID/],
  ])('is refused %s', async (_, more, reason) => {
    await expect(accept(more)).rejects.toThrow(reason);
  });
});

describe('an attack by XML', () => {
  const signed = idp.xml(of({ id: '_signed' }));
  const [assertion = ''] = /<saml:Assertion.*<\/saml:Assertion>/s.exec(signed) ?? [];
  const forged = assertion
    .replace(/<ds:Signature.*<\/ds:Signature>/s, '')
    .replace('_signed', '_forged')
    .replace('ann@example.com', 'owner@example.com')
    .replace('ann-0815', 'owner');
  const withNamespaces = (xml: string) =>
    xml.replace('<saml:Assertion', '<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"');

  it.each<[string, string]>([
    ['a changed text', signed.replace('ann@example.com', 'owner@example.com')],
    ['a forged assertion before the signed one', signed.replace(assertion, `${forged}${assertion}`)],
    ['a forged assertion after the signed one', signed.replace(assertion, `${assertion}${forged}`)],
    [
      'a forged assertion around the signed one',
      signed.replace(assertion, forged.replace('</saml:Assertion>', `${assertion}</saml:Assertion>`)),
    ],
    [
      'a forged assertion with the signed one in its signature',
      signed.replace(
        assertion,
        forged.replace(
          '</saml:Issuer>',
          `</saml:Issuer>${/<ds:Signature.*<\/ds:Signature>/s
            .exec(assertion)?.[0]
            .replace('</ds:Signature>', `<ds:Object>${withNamespaces(assertion)}</ds:Object></ds:Signature>`)}`,
        ),
      ),
    ],
    [
      'the signed assertion among extensions, and a forged one at its place',
      signed.replace(assertion, `<samlp:Extensions>${assertion}</samlp:Extensions>${forged}`),
    ],
    ['the same id twice', signed.replace(assertion, `${forged.replace('_forged', '_signed')}${assertion}`)],
    [
      'an entity',
      signed.replace('<samlp:Response', '<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]><samlp:Response'),
    ],
    ['no XML', 'PHNhbWw+'],
    ['a response that is too long', `${signed}${' '.repeat(600_000)}`],
  ])('with %s never makes somebody else', async (_, xml) => {
    const person = await check(xml).then(
      (accepted) => accepted.person.verifiedEmail,
      () => 'refused',
    );
    expect(person).toBe('refused');
  });

  it('with a comment in a name reads the whole name that was signed', async () => {
    const split = idp.xml(of({ nameId: 'owner@example.com.evil.example' }));
    const commented = split.replace('owner@example.com.evil', 'owner@example.com<!-- -->.evil');
    const nameId = await check(commented).then(
      ({ person }) => person.identity?.subject,
      () => 'refused',
    );
    expect(['owner@example.com.evil.example', 'refused']).toContain(nameId);
  });
});

describe('the service of SAML', () => {
  it('describes itself, with the certificate of its requests', () => {
    const bare = metadataOf(SITE, null);
    expect(bare).toContain('entityID="https://chat.example.com/saml/metadata.xml"');
    expect(bare).toContain('Location="https://chat.example.com/complete/saml/"');
    expect(bare).not.toContain('X509Certificate');
    expect(metadataOf(SITE, service)).toContain('X509Certificate');
  });

  it('signs requests where the file says so', async () => {
    const url = await requestUrl({ ...provider, signsRequests: true }, SITE, { id: '_1', service });
    expect(new URL(url).searchParams.get('SigAlg')).toBe('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256');
    expect(await SamlIdp.requestIn(url)).toBe('_1');
    const plain = await requestUrl(provider, SITE, { id: '_2', service });
    expect(new URL(plain).searchParams.has('Signature')).toBe(false);
  });
});
