import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CannotStart } from '@annals/embedded';
import { verifierText } from '@annals/kernel';
import { keyStoreOf, witnessesOf } from './proof';
import { readSettings } from './settings';

const KEY = 'ANNALS_AUDIT_KEY must be an Ed25519 key in PEM form.';
const WITNESSES =
  'ANNALS_AUDIT_WITNESSES must have a URL, a space and a verifier key for each of at most 8 witnesses, separated by commas.';
const ed25519 = generateKeyPairSync('ed25519');
const pem = ed25519.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'annals-proof-'))));
afterAll(() => rmSync(folder, { recursive: true }));

const refusal = (run: () => unknown): Error => {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error('it was not refused');
};

describe('ANNALS_AUDIT_KEY', () => {
  it('is a private key, in the variable or in a file', () => {
    const file = join(folder, 'key.pem');
    writeFileSync(file, pem);
    for (const env of [{ ANNALS_AUDIT_KEY: pem }, { ANNALS_AUDIT_KEY_FILE: file }]) {
      const keys = keyStoreOf(readSettings({ ...env, ANNALS_DATA_DIR: folder }));
      expect(keys.isGiven).toBe(true);
      expect(keys.read()?.equals(ed25519.privateKey)).toBe(true);
    }
  });

  it.each([
    ['no key', 'a secret that is no key'],
    ['a part of a key', pem.slice(0, 60)],
    ['a public key', ed25519.publicKey.export({ format: 'pem', type: 'spki' }).toString()],
    [
      'a key of another kind',
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    ],
    [
      'a key under a passphrase',
      ed25519.privateKey
        .export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'secret' })
        .toString(),
    ],
  ])('is refused without a word of it if it is %s', (_, value) => {
    const file = join(folder, 'other.pem');
    writeFileSync(file, value);
    for (const env of [{ ANNALS_AUDIT_KEY: value }, { ANNALS_AUDIT_KEY_FILE: file }])
      expect(refusal(() => readSettings(env))).toEqual(new CannotStart(KEY));
  });
});

describe('ANNALS_AUDIT_WITNESSES', () => {
  /** A verifier key of type 1, which signs notes and no cosignatures. */
  const noteKey = verifierText('w.example.com', ed25519.privateKey);
  const cosigner = cosignerOf('w.example.com');

  /** A verifier key of C2SP tlog-cosignature, for cosignatures with Ed25519. */
  function cosignerOf(name: string): string {
    const spki = ed25519.publicKey.export({ format: 'der', type: 'spki' });
    const key = Buffer.concat([Buffer.of(4), spki.subarray(-32)]);
    const id = createHash('sha256').update(`${name}\n`).update(key).digest('hex').slice(0, 8);
    return `${name}+${id}+${key.toString('base64')}`;
  }

  it('names several', () => {
    const text = `https://w.example.com/a/ ${cosigner}, http://10.0.0.1:7 ${cosigner}`;
    const witnesses = witnessesOf(readSettings({ ANNALS_AUDIT_WITNESSES: text }));
    expect(witnesses.map(({ url }) => url)).toEqual(['https://w.example.com/a', 'http://10.0.0.1:7']);
    expect(witnessesOf(readSettings({}))).toEqual([]);
  });

  it.each([
    'nothing',
    'https://w.example.com',
    cosigner,
    `w.example.com ${cosigner}`,
    `ftp://w.example.com ${cosigner}`,
    `https://w.example.com:99999 ${cosigner}`,
    `https://w.example.com ${cosigner.slice(0, -1)}`,
    `https://w.example.com ${cosigner},`,
    `https://w.example.com ${cosigner} https://v.example.com ${cosigner}`,
    Array.from({ length: 9 }, () => `https://w.example.com ${cosigner}`).join(),
  ])('is refused: %s', (value) => {
    expect(refusal(() => readSettings({ ANNALS_AUDIT_WITNESSES: value }))).toEqual(new CannotStart(WITNESSES));
  });

  it.each([
    ['that signs no cosignatures', noteKey],
    ['whose id is of another key', cosigner.replace(/\+.{8}\+/, '+00000000+')],
  ])('is refused with a key %s, which a worker finds at its start', (_, key) => {
    const settings = readSettings({ ANNALS_AUDIT_WITNESSES: `https://w.example.com ${key}` });
    expect(refusal(() => witnessesOf(settings))).toEqual(
      new CannotStart(`ANNALS_AUDIT_WITNESSES: "https://w.example.com ${key}" has no key of type 4 for this name.`),
    );
  });
});
