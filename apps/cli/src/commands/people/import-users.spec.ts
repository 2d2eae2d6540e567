import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { importPeople } from './import-users';

const file = join(tmpdir(), `annals-import-lines-${process.pid}.jsonl`);
afterAll(() => rm(file, { force: true }));

/** Nothing is asked of it as long as the lines are not all read. */
const NONE = {} as Kernel;
const ANN = { email: 'ann@example.com', full_name: 'Ann Example' };

describe('lines of people', () => {
  it.each([
    ['no json', 'not a JSON object'],
    ['null', 'not a JSON object'],
    [{ email: 'x@example.com' }, 'not a JSON object'],
    [{ ...ANN, role: 500 }, 'not a JSON object'],
    [{ ...ANN, role: '400' }, 'not a JSON object'],
    [{ ...ANN, more: 1 }, 'not a JSON object'],
    [{ ...ANN, password: null }, 'not a JSON object'],
    [{ ...ANN, email: 'nowhere' }, 'no email address'],
    [{ ...ANN, full_name: 'Ann \ud800' }, 'invalid characters'],
  ])('are refused with the number of a line that is %j', async (line, reason) => {
    const text = typeof line === 'string' ? line : JSON.stringify(line);
    await writeFile(file, `${JSON.stringify(ANN)}\n\n${text}\n`);
    const said: string[] = [];
    const run = importPeople(NONE, { realmId: 1 as RealmId, url: 'http://127.0.0.1' }, file, (one) => said.push(one));
    await expect(run).rejects.toThrow(new RegExp(`^line 3 .*${reason}`));
    expect(said).toEqual([]);
  });
});
