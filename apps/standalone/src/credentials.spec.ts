import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forgetPreparedKey, prepareKey, readKey, writeZuliprc } from './credentials';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'annals-credentials-'))));
afterEach(() => rmSync(folder, { recursive: true }));

describe('the zuliprc', () => {
  it("keeps the owner's key, for the owner alone", () => {
    writeZuliprc(folder, { email: 'me@example.com', key: 'first', site: 'http://a' });
    writeZuliprc(folder, { email: 'me@example.com', key: 'second', site: 'http://b' });
    expect(readFileSync(join(folder, 'zuliprc'), 'utf8')).toBe(
      '[api]\nemail=me@example.com\nkey=second\nsite=http://b\n',
    );
    expect(statSync(join(folder, 'zuliprc')).mode & 0o777).toBe(0o600);
    expect(readKey(folder, 'me@example.com')).toBe('second');
  });

  it('is read in every spelling of a person, and never for another account', () => {
    writeFileSync(join(folder, 'zuliprc'), '# mine\n[api]\nkey = abc \nemail = me@example.com\n');
    expect(readKey(folder, 'me@example.com')).toBe('abc');
    expect(readKey(folder, 'you@example.com')).toBeUndefined();
  });

  it('may be missing', () => {
    expect(readKey(folder, 'me@example.com')).toBeUndefined();
  });
});

describe('the key that is prepared for the owner', () => {
  it('stays the same until it is forgotten', () => {
    const key = prepareKey(folder);
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(prepareKey(folder)).toBe(key);
    forgetPreparedKey(folder);
    expect(existsSync(join(folder, 'zuliprc.unfinished'))).toBe(false);
    expect(prepareKey(folder)).not.toBe(key);
  });

  it('is readable for the owner of the folder only, and written again if only half of it was written', () => {
    writeFileSync(join(folder, 'zuliprc.unfinished'), 'abc', { mode: 0o644 });
    expect(prepareKey(folder)).toHaveLength(32);
    expect(statSync(join(folder, 'zuliprc.unfinished')).mode & 0o777).toBe(0o600);
  });
});
