import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestFolder } from '../../../../test/support/server/test-folder';
import { createTestFolder } from '../../../../test/support/server/test-folder';
import { certified } from '../../../../test/support/sign-on/certificate';
import type { DevLoginSettings } from './dev-logins';
import { allowsDevLogins } from './dev-logins';
import { readSignOn } from './read-sign-on';

const HERE: DevLoginSettings = { ANNALS_DEV_LOGINS: 'off', ANNALS_TRUSTED_PROXIES: 0, HOST: '127.0.0.1' };
const OIDC = { issuer: 'https://id.example.com', client_id: 'annals', client_secret: 'a secret of the client' };
const SECRET = 'a secret that has more than 32 bytes';

describe('the file of ways to log in', () => {
  let folder: TestFolder;
  let certificate: string;
  const path = (name: string) => join(folder.path, name);
  beforeAll(async () => {
    folder = await createTestFolder();
    const made = certified('id.example.com');
    certificate = made.certificate;
    writeFileSync(path('certificate.pem'), made.certificate);
    writeFileSync(path('key.pem'), made.privateKey);
    writeFileSync(path('other.pem'), certified('other').privateKey);
  });
  afterAll(() => folder.drop());

  const read = (content: unknown) => {
    writeFileSync(path('sign-on.json'), typeof content === 'string' ? content : JSON.stringify(content));
    return readSignOn({ ANNALS_SIGN_ON_FILE: path('sign-on.json'), ...HERE });
  };
  const rsa = (bits: number) =>
    generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ type: 'spki', format: 'pem' });

  it('may be left out, and may be empty', () => {
    expect(readSignOn(HERE)).toMatchObject({ oidc: [], saml: [], jwt: [], headers: [], devLogins: false });
    expect(read({})).toMatchObject({ oidc: [], saml: [], samlService: null, jwt: [], headers: [] });
  });

  it('has providers of OpenID Connect, with secrets in files', () => {
    writeFileSync(path('secret'), 'from a file\n');
    const { client_secret: _, ...entry } = OIDC;
    const more = { scopes: ['email', 'groups'], display_name: 'Login', organizations: ['', 'sales'] };
    const { oidc } = read({ openid_connect: { main: { ...entry, client_secret_file: 'secret', ...more } } });
    expect(oidc).toEqual([
      {
        name: 'main',
        organizations: ['', 'sales'],
        displayName: 'Login',
        displayIcon: null,
        joinsAtOnce: false,
        issuer: 'https://id.example.com',
        clientId: 'annals',
        clientSecret: 'from a file',
        scopes: ['openid', 'email', 'groups'],
        claims: { email: 'email', emailVerified: 'email_verified', fullName: 'name' },
        allEmailsVerified: false,
      },
    ]);
  });

  it('has identity providers of SAML, from metadata or from the values themselves', () => {
    const base64 = certificate.replaceAll(/-----.*-----|\s/g, '');
    const key = `<ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>
      <ds:X509Certificate>\n${base64}\n</ds:X509Certificate></ds:X509Data></ds:KeyInfo>`;
    const binding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
    const metadata = `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example.com">
      <md:IDPSSODescriptor><md:KeyDescriptor use="signing">${key}</md:KeyDescriptor>
      <md:SingleSignOnService Binding="${binding}" Location="https://idp.example.com/sso?a=1&amp;b=2"/>
      </md:IDPSSODescriptor></md:EntityDescriptor>`;
    writeFileSync(path('metadata.xml'), metadata);
    const { saml } = read({
      saml: {
        one: { metadata_file: 'metadata.xml' },
        two: {
          ...{ entity_id: 'two', sso_url: 'https://two.example.com/', certificate_files: ['certificate.pem'] },
          all_emails_verified: true,
        },
      },
    });
    expect(saml).toMatchObject([
      { name: 'one', entityId: 'https://idp.example.com', ssoUrl: 'https://idp.example.com/sso?a=1&b=2' },
      { name: 'two', entityId: 'two', certificates: [certificate], attributes: { email: null } },
    ]);
    expect(saml[0]?.certificates).toEqual([certificate]);
    expect(saml.map(({ allEmailsVerified }) => allEmailsVerified)).toEqual([false, true]);
  });

  it('has the key that signs requests of SAML', () => {
    const { samlService } = read({
      saml_service: { private_key_file: 'key.pem', certificate_file: 'certificate.pem' },
    });
    expect(samlService).toMatchObject({ certificate });
  });

  it('has keys of JSON Web Tokens and trusted headers', () => {
    const { jwt, headers } = read({
      jwt: {
        main: { algorithm: 'RS256', key: rsa(2048), audience: 'annals', organizations: [''] },
        old: { algorithm: 'RS256', key: rsa(2048), lasting_tokens: true, organizations: ['old'] },
      },
      trusted_header: { proxy: { header: 'X-Remote-User', networks: ['10.0.0.0/8'], email_domain: 'example.com' } },
    });
    expect(jwt).toMatchObject([
      { name: 'main', algorithm: 'RS256', audience: 'annals', issuer: null, takesLasting: false },
      { name: 'old', takesLasting: true },
    ]);
    expect(headers).toMatchObject([{ header: 'x-remote-user', networks: ['10.0.0.0/8'], displayName: 'SSO' }]);
  });

  it('names the provider of each organization', () => {
    const jwt = { algorithm: 'HS256', key: SECRET };
    const of = (...names: string[]) => ({ ...jwt, organizations: names });
    expect(read({ jwt: { one: of('sales'), two: of('') } }).jwt).toHaveLength(2);
    expect(() => read({ jwt: { one: of('sales', 'law'), two: jwt } })).toThrow(
      'ANNALS_SIGN_ON_FILE, /jwt: one and two are for the same organization.',
    );
  });

  const saml = (entry: object) => ({ saml: { okta: entry } });
  const jwt = (entry: object) => ({ jwt: { main: entry } });
  const header = (entry: object) => ({ trusted_header: { proxy: { networks: ['10.0.0.0/8'], ...entry } } });
  it.each<[string, () => unknown, RegExp]>([
    ['text', () => '{', /^ANNALS_SIGN_ON_FILE: it is no JSON\.$/],
    ['an unknown part', () => ({ ldpa: {} }), /^ANNALS_SIGN_ON_FILE, \/ldpa: unexpected property\.$/],
    ['a missing value', () => ({ openid_connect: { main: { issuer: 'x' } } }), /\/openid_connect\/main\/client_id: /],
    ['a name for no URL', () => ({ openid_connect: { 'My Login': OIDC } }), /\/openid_connect\/My Login: /],
    ['plain http', () => ({ openid_connect: { main: { ...OIDC, issuer: 'http://id.example.com' } } }), /https/],
    [
      'two secrets',
      () => ({ openid_connect: { main: { ...OIDC, client_secret_file: 'x' } } }),
      /either client_secret or/,
    ],
    ['a missing file', () => saml({ metadata_file: 'nowhere.xml' }), /\/saml\/okta: nowhere\.xml cannot be read/],
    ['no certificate', () => saml({ entity_id: 'x', sso_url: 'https://x.example.com' }), /metadata_file, or entity_id/],
    ['no metadata', () => saml({ metadata_file: 'certificate.pem' }), /must describe one identity provider/],
    [
      'a wrong certificate',
      () => saml({ entity_id: 'x', sso_url: 'https://x.example.com', certificates: ['abc'] }),
      /a certificate is not X\.509/,
    ],
    [
      'a key of another certificate',
      () => ({ saml_service: { private_key_file: 'other.pem', certificate_file: 'certificate.pem' } }),
      /the certificate is of another private key/,
    ],
    [
      'requests that nobody can sign',
      () =>
        saml({ entity_id: 'x', sso_url: 'https://x.example.com', certificates: [certificate], sign_requests: true }),
      /sign_requests needs saml_service/,
    ],
    ['a short secret', () => jwt({ algorithm: 'HS256', key: 'short' }), /at least 32 bytes/],
    ['a public key as a secret', () => jwt({ algorithm: 'HS256', key: rsa(2048) }), /HS256 is a secret text/],
    ['a short key', () => jwt({ algorithm: 'RS256', key: rsa(1024) }), /RS256 needs an RSA key of 2048 bits/],
    ['another kind of key', () => jwt({ algorithm: 'ES256', key: rsa(2048) }), /ES256 needs a key of P-256/],
    ['no algorithm', () => jwt({ algorithm: 'none', key: SECRET }), /\/jwt\/main\/algorithm: /],
    ['a header of the browser', () => header({ header: 'Cookie' }), /Cookie has another meaning/],
    ['no network', () => header({ header: 'X-User', networks: ['everywhere'] }), /networks must be addresses/],
  ])('is refused with %s', (_, content, message) => {
    expect(() => read(content())).toThrow(message);
    expect(() => read(content())).not.toThrow(OIDC.client_secret);
  });

  it('must be there', () => {
    expect(() => readSignOn({ ANNALS_SIGN_ON_FILE: path('none.json'), ...HERE })).toThrow(/cannot be read/);
  });
});

describe('logins of developers', () => {
  const on = (settings: Partial<DevLoginSettings>) =>
    allowsDevLogins({ ...HERE, ANNALS_DEV_LOGINS: 'on', ...settings });

  it('are for this machine', () => {
    expect(allowsDevLogins({ ...HERE, HOST: '0.0.0.0' })).toBe(false);
    expect(on({})).toBe(true);
    expect(on({ HOST: '::1', ANNALS_URL: 'http://localhost:9991' })).toBe(true);
    expect(on({ HOST: 'localhost', ANNALS_URL: 'http://[::1]:9991' })).toBe(true);
  });

  it.each<[string, Partial<DevLoginSettings>]>([
    ['all interfaces', { HOST: '0.0.0.0' }],
    ['another address', { HOST: '10.1.2.3' }],
    ['a name of the internet', { ANNALS_URL: 'https://chat.example.com' }],
    ['a name that only looks local', { ANNALS_URL: 'https://localhost.example.com' }],
    ['proxies', { ANNALS_TRUSTED_PROXIES: 1 }],
  ])('are refused with %s', (_, settings) => {
    expect(() => on(settings)).toThrow(/ANNALS_DEV_LOGINS lets everybody log in as anybody/);
  });
});
