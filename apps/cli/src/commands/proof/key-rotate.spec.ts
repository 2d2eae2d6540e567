import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KeyStore } from '@annals/audit';
import type { Kernel } from '@annals/kernel';
import { verifierText } from '@annals/kernel';
import { runCli } from '../../../../../test/support/processes/cli';
import { SignedLog } from '../../spec-support/signed-log';
import type { RotateOptions } from './key-rotate';
import { rotateKey } from './key-rotate';
import { verify } from './verify';

let log: SignedLog;
let kernel: Kernel;
let folder: string;
let lines: string[];

beforeAll(async () => {
  log = await SignedLog.open();
  ({ kernel, folder, lines } = log);
});
afterAll(() => log.close());
beforeEach(() => void lines.splice(0));

const newKey = () => generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
const given = (pem: string) => new KeyStore({ folder, given: pem });
const rotate = (keys: KeyStore, options: RotateOptions = {}) =>
  rotateKey(kernel, { keys, url: log.url }, options, log.print);

/** Signs the log if the key is the one that it names. @returns whether it is */
async function signs(keys: KeyStore): Promise<boolean> {
  const newest = async () => {
    const { rows } = await kernel.database.pool.query('SELECT at FROM audit_checkpoints ORDER BY at DESC LIMIT 1');
    return rows[0] as unknown;
  };
  log.clock.advance(3_600_000);
  const before = await newest();
  await log.signer(keys).sweep();
  return JSON.stringify(await newest()) !== JSON.stringify(before);
}

/** All keys of the log: the verifier string, and whether the one before has signed it. */
async function keysOfLog(): Promise<{ verifier: string; isEndorsed: boolean }[]> {
  const events = await kernel.events.stream(log.realm, 'signing-key');
  return events.map(({ data }) => {
    const { verifier, endorsement } = data as { verifier: string; endorsement: string | null };
    return { verifier, isEndorsed: endorsement !== null };
  });
}
const verifierOf = (keys: KeyStore) => {
  const key = keys.read();
  return key && verifierText('chat.example.com/api/v1/audit', key);
};

describe('annals key-rotate, of a key that a setting gives', () => {
  const old = newKey();
  const next = () => join(folder, 'next.pem');

  it('needs a file for the new key', async () => {
    expect(await signs(given(old))).toBe(true);
    await expect(rotate(given(old))).rejects.toThrow(
      'ANNALS_AUDIT_KEY is set, so --to must name a file for the new key.',
    );
    expect(await keysOfLog()).toHaveLength(1);
  });

  it('does not take a file with something else, or one that cannot be written', async () => {
    const other = join(folder, 'other.pem');
    writeFileSync(other, 'no key');
    await expect(rotate(given(old), { to: other })).rejects.toThrow(`${other} cannot be used: it is no private key`);
    await expect(rotate(given(old), { to: join(folder, 'none', 'key.pem') })).rejects.toThrow('ENOENT');
    expect(readFileSync(other, 'utf8')).toBe('no key');
    expect(await keysOfLog()).toHaveLength(1);
  });

  it('writes the new key into the file, signed by the old one, once', async () => {
    for (let n = 0; n < 2; n++) {
      expect(await rotate(given(old), { to: next() })).toBe(0);
      expect(lines.splice(0)).toEqual([
        `Checkpoints are signed with the key in ${next()} from now on: set ANNALS_AUDIT_KEY_FILE to it, and restart the workers.`,
      ]);
    }
    expect(statSync(next()).mode & 0o777).toBe(0o600);
    const current = given(readFileSync(next(), 'utf8'));
    expect(await keysOfLog()).toEqual([
      { verifier: verifierOf(given(old)), isEndorsed: false },
      { verifier: verifierOf(current), isEndorsed: true },
    ]);
    expect([await signs(given(old)), await signs(current)]).toEqual([false, true]);
    expect(existsSync(join(folder, 'audit-key.pem'))).toBe(false);
  });

  it('is refused if the log has another key than the one that is given', async () => {
    expect(await rotate(given(newKey()), { to: join(folder, 'third.pem') })).toBe(1);
    expect(lines).toEqual(['realm 1: its log has another key than the one here']);
    expect(await keysOfLog()).toHaveLength(2);
  });

  it('replaces a lost key with --lost, which nobody has signed', async () => {
    const file = join(folder, 'after-loss.pem');
    expect(await rotate(given(newKey()), { to: file, lost: true })).toBe(0);
    const current = given(readFileSync(file, 'utf8'));
    expect((await keysOfLog()).at(-1)).toEqual({ verifier: verifierOf(current), isEndorsed: false });
    expect(await signs(current)).toBe(true);
  });

  it('is done from the command line', async () => {
    const file = join(folder, 'cli.pem');
    const env = { DATABASE_URL: log.database.url, ANNALS_DATA_DIR: folder, ANNALS_URL: log.url };
    const pem = readFileSync(join(folder, 'after-loss.pem'), 'utf8');
    const run = await runCli({ ...env, ANNALS_AUDIT_KEY: pem }, 'key-rotate', '--to', file);
    expect({ err: run.err, code: run.code }).toEqual({ err: '', code: 0 });
    expect(run.out).toContain(`the key in ${file} from now on`);
    expect((await keysOfLog()).at(-1)?.verifier).toBe(verifierOf(given(readFileSync(file, 'utf8'))));
  });
});

describe('annals key-rotate, of a key that the server made', () => {
  const own = () => new KeyStore({ folder });

  it('takes no --to, and no missing key without --lost', async () => {
    await expect(rotate(own(), { to: join(folder, 'x.pem') })).rejects.toThrow(
      '--to is for servers whose key is set by ANNALS_AUDIT_KEY.',
    );
    await expect(rotate(own())).rejects.toThrow('There is no signing key here. See --lost if it no longer exists.');
    expect(existsSync(join(folder, 'audit-key.next.pem'))).toBe(false);
  });

  it('makes another one with --lost, and later replaces that', async () => {
    expect(await rotate(own(), { lost: true })).toBe(0);
    expect(lines).toEqual(['Checkpoints are signed with a new key from now on.']);
    expect((await keysOfLog()).at(-1)).toEqual({ verifier: verifierOf(own()), isEndorsed: false });
    expect(await signs(own())).toBe(true);
    expect(await rotate(own())).toBe(0);
    expect((await keysOfLog()).at(-1)).toEqual({ verifier: verifierOf(own()), isEndorsed: true });
    expect(await signs(own())).toBe(true);
  });

  it('leaves a log that is intact, with the checkpoints of all keys', async () => {
    lines.splice(0);
    expect([await verify(kernel, {}, log.print), lines[0]]).toEqual([0, expect.stringContaining('checkpoints agree')]);
  });
});
