import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandOf } from '@annals/embedded';
import { claimDataFolder, readKey, writeZuliprc } from './data-folder';

let folder: string;
let said: string[];
const say = (line: string) => said.push(line);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'annals-folder-'));
  said = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const file = () => join(folder, 'annals.pid');
/** The claim of another process that is sure to run for as long as this spec. */
const claimOfAnother = (state = '') =>
  writeFileSync(file(), `${process.ppid}\n${commandOf(process.ppid)}\n${state && `${state}\n`}`);

describe('a data folder', () => {
  it('belongs to one process, until that releases it', async () => {
    const claim = await claimDataFolder(folder, say);
    expect(claim.afterCrash).toBe(false);
    expect(readFileSync(file(), 'utf8')).toBe(`${process.pid}\n${commandOf(process.pid)}\n`);
    claim.release();
    expect(existsSync(file())).toBe(false);
  });

  it('is refused while another process has it', async () => {
    claimOfAnother();
    await expect(claimDataFolder(folder, say)).rejects.toThrow(
      `Annals already runs on the data folder ${folder} (process ${process.ppid}).`,
    );
  });

  it('is waited for while another process is stopping', async () => {
    claimOfAnother('stopping');
    const claiming = claimDataFolder(folder, (line) => {
      say(line);
      rmSync(file());
    });
    expect((await claiming).afterCrash).toBe(false);
    expect(said).toEqual(['Waiting for an earlier run to stop.']);
  });

  it.each([
    ['nobody', '4194305\nnode start.mjs\n'],
    ['a process that got the id of the one that had it', `${process.ppid}\nanother command\n`],
    ['an earlier process with the id of this one', `${process.pid}\n${commandOf(process.pid)}\n`],
    ['a process that died before it could say who it was', ''],
  ])('is free when it is claimed by %s', async (_, content) => {
    writeFileSync(file(), content);
    expect((await claimDataFolder(folder, say)).afterCrash).toBe(true);
    expect(readFileSync(file(), 'utf8')).toMatch(new RegExp(`^${process.pid}\n`));
  });
});

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

  it('is read however a person wrote it, and says nothing of somebody else', () => {
    writeFileSync(join(folder, 'zuliprc'), '# mine\n[api]\nkey = abc \nemail = me@example.com\n');
    expect(readKey(folder, 'me@example.com')).toBe('abc');
    expect(readKey(folder, 'you@example.com')).toBeUndefined();
  });

  it('may be missing', () => {
    expect(readKey(folder, 'me@example.com')).toBeUndefined();
  });
});
