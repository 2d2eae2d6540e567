import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestFolder } from '../../../../test/support/server/test-folder';
import { createTestFolder } from '../../../../test/support/server/test-folder';
import { certified } from '../../../../test/support/sign-on/certificate';
import { readSignOn } from './read-sign-on';

const DOCS = join(__dirname, '..', '..', '..', '..', 'docs');
const KIND = /"(?:openid_connect|saml|jwt|trusted_header|ldap)": \{/;
const FILE = /"(\w+_file)": "([^"]+)"/g;

/** The examples of files in the pages about logins, by their pages. */
const examples = ['sign-on.md', ...readdirSync(join(DOCS, 'sign-on')).map((name) => join('sign-on', name))].flatMap(
  (page) =>
    [...readFileSync(join(DOCS, page), 'utf8').matchAll(/^```json\n([^]*?)^```/gm)]
      .map(([, text = '']) => text)
      .filter((text) => KIND.test(text))
      .map((text) => [page, text] as const),
);

describe('examples of files with ways to log in', () => {
  let folder: TestFolder;
  const { certificate } = certified('id.example.com');
  const metadata = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example.com">
    <IDPSSODescriptor><KeyDescriptor><X509Certificate>${certificate.replaceAll(/-----.*-----/g, '')}</X509Certificate></KeyDescriptor>
    <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example.com/sso"/>
    </IDPSSODescriptor></EntityDescriptor>`;
  const contents: Readonly<Record<string, string>> = { metadata_file: metadata, ca_file: certificate };
  beforeAll(async () => (folder = await createTestFolder()));
  afterAll(() => folder.drop());

  it('are in the page of every provider', () => {
    const pages = readdirSync(join(DOCS, 'sign-on')).map((name) => join('sign-on', name));
    expect(pages.filter((page) => !examples.some(([of]) => of === page))).toEqual([]);
  });

  it.each(examples)('are taken by the server as %s has them, and name organizations', (_, text) => {
    for (const [, key = '', name = ''] of text.matchAll(FILE))
      writeFileSync(join(folder.path, name), contents[key] ?? 'a secret that has more than 32 bytes');
    const file = join(folder.path, 'sign-on.json');
    writeFileSync(file, text);
    const settings = { ANNALS_DEV_LOGINS: 'off', ANNALS_TRUSTED_PROXIES: 0, HOST: '127.0.0.1' } as const;
    const { oidc, saml, jwt, headers, ldap } = readSignOn({ ANNALS_SIGN_ON_FILE: file, ...settings });
    const all = [...oidc, ...saml, ...jwt, ...headers, ...ldap];
    expect(all.length).toBeGreaterThan(0);
    // Whoever copies an example lets no other organization trust the provider.
    expect(all.filter(({ organizations }) => organizations === null)).toEqual([]);
  });
});
