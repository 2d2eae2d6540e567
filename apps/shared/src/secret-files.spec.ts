import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CannotStart } from '@annals/embedded';
import { SECRET_FILE_NAMES } from './secret-files';
import { readSettings } from './settings';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'annals-secrets-'))));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(content: string): string {
  const file = join(folder, 'secret');
  writeFileSync(file, content);
  return file;
}

const PUSH = { ANNALS_PUSH_BOUNCER_URL: 'https://push.example.com', ANNALS_PUSH_ORG_ID: 'us' };

describe('a secret in a file', () => {
  it.each([
    ['DATABASE_URL', 'postgres://me:secret@db/annals'],
    ['REDIS_URL', 'redis://:secret@cache:6379'],
    ['ANNALS_OWNER_PASSWORD', ' a secret with blanks '],
    ['ANNALS_OWNER_API_KEY', 'abcdefghijABCDEFGHIJ012345678901'],
    ['ANNALS_PUSH_ORG_KEY', 'a key: with a colon'],
  ] as const)('is read as %s, without the line break at its end', (name, secret) => {
    const more = name === 'ANNALS_PUSH_ORG_KEY' ? PUSH : {};
    for (const ending of ['', '\n', '\r\n']) {
      const settings = readSettings({ ...more, [`${name}_FILE`]: fileWith(secret + ending) });
      expect(settings[name]).toBe(secret);
    }
  });

  it('is held to the same rules as one in a variable', () => {
    const env = { ANNALS_OWNER_PASSWORD_FILE: fileWith('short\n') };
    expect(() => readSettings(env)).toThrow(new CannotStart('ANNALS_OWNER_PASSWORD must have 8 to 100 characters.'));
  });

  it.each(SECRET_FILE_NAMES)('is refused beside the variable itself: %s', (variable) => {
    const secret = variable.replace(/_FILE$/, '');
    const sentence = `${secret} and ${variable} are both set. Remove one of them.`;
    expect(() => readSettings({ [secret]: 'x', [variable]: fileWith('y') })).toThrow(new CannotStart(sentence));
    expect(() => readSettings({ [secret]: ' ', [variable]: ' ' })).not.toThrow();
  });

  it('is refused when the file is not there, or empty', () => {
    const missing = join(folder, 'missing');
    expect(() => readSettings({ REDIS_URL_FILE: missing })).toThrow(
      new CannotStart(`REDIS_URL_FILE cannot be read: ENOENT: no such file or directory, open '${missing}'.`),
    );
    const empty = fileWith(' \n');
    expect(() => readSettings({ REDIS_URL_FILE: empty })).toThrow(
      new CannotStart(`REDIS_URL_FILE names ${empty}, which is empty.`),
    );
  });
});
