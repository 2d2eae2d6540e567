import { once } from 'node:events';
import { accessSync, constants, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import type { GuardedProcess } from '../../../libs/embedded/src/guarded-process';
import { startService } from '../../../libs/embedded/src/guarded-process';
import type { TestFolder } from '../server/test-folder';
import { createTestFolder } from '../server/test-folder';
import { certified } from '../sign-on/certificate';

const SLAPD = '/usr/sbin/slapd';
const SLAPADD = '/usr/sbin/slapadd';
const SCHEMA = '/etc/ldap/schema';
const MODULES = '/usr/lib/ldap';

/** The login of this server in `Slapd`. */
export const SLAPD_LOGIN = { dn: 'cn=admin,dc=example,dc=com', password: 'password of the administrator' };

/** `describe` for specs that need the OpenLDAP server of Debian. They are skipped without it, and their title says so. */
export function describeWithSlapd(title: string, specs: () => void): void {
  if (isInstalled()) describe(title, specs);
  else describe.skip(`${title} (skipped: this machine has no slapd)`, specs);
}

function isInstalled(): boolean {
  try {
    accessSync(SLAPD, constants.X_OK);
    return existsSync(SCHEMA) && existsSync(MODULES);
  } catch {
    return false;
  }
}

/** The OpenLDAP server of this machine on 127.0.0.1, with the attributes of Active Directory. It can StartTLS. */
export class Slapd {
  private constructor(
    private readonly folder: TestFolder,
    private readonly process: GuardedProcess,
    private readonly port: number,
    /** The certificate that its certificate comes from: itself. */
    readonly ca: string,
  ) {}

  /** @param ldif everything in it below `dc=example,dc=com` */
  static async start(ldif: string): Promise<Slapd> {
    const folder = await createTestFolder();
    const { certificate, privateKey } = certified('localhost');
    writeFileSync(join(folder.path, 'certificate.pem'), certificate);
    writeFileSync(join(folder.path, 'key.pem'), privateKey);
    const configuration = join(folder.path, 'slapd.conf');
    writeFileSync(configuration, configurationIn(folder.path));
    mkdirSync(join(folder.path, 'data'));
    const entries = spawnSync(SLAPADD, ['-f', configuration], { input: `${ROOT}\n${ldif}` });
    if (entries.status !== 0) throw new Error(`slapadd: ${String(entries.stderr)}`);
    const started = await startService({
      name: 'slapd',
      commandOn: (port) => ({
        command: SLAPD,
        args: ['-h', `ldap://127.0.0.1:${port}/`, '-f', configuration, '-d', '0'],
        stopSignal: 'SIGTERM',
        logFile: join(folder.path, 'log'),
      }),
      answersOn,
    });
    return new Slapd(folder, started, started.port, certificate);
  }

  get url(): string {
    return `ldap://127.0.0.1:${this.port}`;
  }

  /** The same by the name that its certificate has. */
  get namedUrl(): string {
    return `ldap://localhost:${this.port}`;
  }

  async stop(): Promise<void> {
    await this.process.stop();
    await this.folder.drop();
  }
}

const ROOT = `dn: dc=example,dc=com
objectClass: dcObject
objectClass: organization
dc: example
o: Example
`;

const configurationIn = (folder: string): string =>
  [
    ...['core', 'cosine', 'inetorgperson', 'nis', 'msuser'].map((name) => `include ${SCHEMA}/${name}.schema`),
    `pidfile ${folder}/pid`,
    `modulepath ${MODULES}`,
    'moduleload back_mdb',
    'moduleload memberof',
    `TLSCertificateFile ${folder}/certificate.pem`,
    `TLSCertificateKeyFile ${folder}/key.pem`,
    'sizelimit size.soft=10 size.hard=10 size.prtotal=unlimited',
    'database mdb',
    'suffix dc=example,dc=com',
    `rootdn ${SLAPD_LOGIN.dn}`,
    `rootpw "${SLAPD_LOGIN.password}"`,
    `directory ${folder}/data`,
    'overlay memberof',
    '',
  ].join('\n');

async function answersOn(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
