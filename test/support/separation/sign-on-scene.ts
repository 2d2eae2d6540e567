import type { Instant } from '@annals/kernel/domain';
import { DAY_MS, ManualClock } from '@annals/kernel/domain';
import { secrets } from '../laws/secrets';
import type { FakeEntry } from '../ldap/fake-directory';
import { FakeDirectory } from '../ldap/fake-directory';
import { SERVER_ENV } from '../server/organizations';
import type { TestServer } from '../server/server';
import { startTestServer } from '../server/server';
import { OIDC_CLIENT, OidcServer } from '../sign-on/oidc-server';
import { SamlIdp } from '../sign-on/saml-idp';
import { SignOnTestFile } from '../sign-on/sign-on-file';
import { WORDS, twinsOf } from './history';
import type { Twin } from './twin';

/** Signs the JSON Web Tokens of a portal that both twins have. */
export const PORTAL_KEY = 'the key of a portal of two organizations';

/** The header with which a proxy names people, at the first twin only. */
export const PROXY_HEADER = 'x-user';

const SERVICE = { dn: 'cn=annals,dc=example,dc=com', password: 'login of the server', attributes: {} };
const BASE = 'ou=people,dc=example,dc=com';

/** How often accounts follow a directory by themselves: only when a spec says so. */
export const WEEK_MS = 7 * DAY_MS;

/** The password that a person has in the directory of a twin. */
export const directoryPassword = ({ word }: Pick<Twin, 'word'>): string => `directory password of ${word}`;

/** Ann in the directory of a twin. Her name there and her id are the same in both. */
export const annIn = ({ word }: Pick<Twin, 'word'>, more: FakeEntry['attributes'] = {}): FakeEntry => ({
  dn: `uid=ann,${BASE}`,
  password: directoryPassword({ word }),
  attributes: {
    ...{ objectClass: ['person'], uid: ['ann'], mail: [`ann@${word}.example.com`], cn: [`Ann of ${word}`] },
    ...{ entryUUID: ['the same id'], ...more },
  },
});

const directoryEntry = (url: string, organization: string) => ({
  ...{ organizations: [organization], servers: [url], bind_dn: SERVICE.dn, bind_password: SERVICE.password },
  ...{ search_base: BASE, search_filter: '(&(objectClass=person)(|(uid=%(user)s)(mail=%(user)s)))' },
  attributes: { avatar: 'jpegPhoto', deactivated: 'nsAccountLock' },
  roles: { administrator: ['admins'] },
  synchronization: {
    every_minutes: WEEK_MS / 60_000,
    max_deactivated_percent: 100,
    filter: '(&(objectClass=person)(uid=*))',
  },
});

/** A server whose twins log people in by other systems, some of which both have. */
export class SignOnScene {
  private constructor(
    readonly server: TestServer,
    readonly twins: readonly [Twin, Twin],
    /** The provider `home` is for the first twin only, and `common` for both. */
    readonly oidc: { readonly home: OidcServer; readonly common: OidcServer },
    /** The provider `company` of both. It may begin logins. */
    readonly idp: SamlIdp,
    /** Each twin has its own. */
    readonly directories: readonly [FakeDirectory, FakeDirectory],
    private readonly file: SignOnTestFile,
  ) {}

  static async start(): Promise<SignOnScene> {
    for (const secret of [OIDC_CLIENT.client_secret, PORTAL_KEY]) secrets.add('password', secret);
    const redirects = WORDS.map((word) => `http://${word}.chat.example.com/complete/oidc/`);
    const oidc = { home: await OidcServer.start(redirects), common: await OidcServer.start(redirects) };
    const idp = new SamlIdp();
    const [oak, elm] = [await FakeDirectory.start([SERVICE]), await FakeDirectory.start([SERVICE])];
    const [first, second] = WORDS;
    const file = await SignOnTestFile.of({
      openid_connect: {
        home: { issuer: oidc.home.issuer, ...OIDC_CLIENT, organizations: [first] },
        common: { issuer: oidc.common.issuer, ...OIDC_CLIENT },
      },
      saml: { company: { ...idp.entry, all_emails_verified: true, idp_initiated: true } },
      jwt: { portal: { algorithm: 'HS256', key: PORTAL_KEY } },
      trusted_header: { proxy: { header: PROXY_HEADER, networks: ['127.0.0.0/8', '::1'], organizations: [first] } },
      ldap: {
        oak: directoryEntry(oak.url, first),
        elm: directoryEntry(elm.url, second),
      },
    });
    // Providers live in the present.
    const clock = new ManualClock(Date.now() as Instant);
    const server = await startTestServer({ env: { ...SERVER_ENV, ...file.env }, clock });
    return new SignOnScene(server, await twinsOf(server), oidc, idp, [oak, elm], file);
  }

  /** What the directory of a twin lists from now on. */
  list(twin: Twin, ...entries: readonly FakeEntry[]): void {
    this.directoryOf(twin).entries = [SERVICE, ...entries];
  }

  directoryOf(twin: Twin): FakeDirectory {
    return this.directories[this.twins[0] === twin ? 0 : 1];
  }

  async close(): Promise<void> {
    await this.server.close();
    for (const other of [...Object.values(this.oidc), ...this.directories]) await other.stop();
    await this.file.drop();
  }
}
