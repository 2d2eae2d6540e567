import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandOf } from '@annals/embedded';
import { lockDataDir } from './data-dir-lock';

const CLAIMER = join(__dirname, '../../../test/standalone/programs/claimer.ts');
const HOOK = require.resolve('../../../test/support/typescript.cjs');

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
    const claim = await lockDataDir(folder, say);
    expect(claim.afterCrash).toBe(false);
    expect(readFileSync(file(), 'utf8')).toBe(`${process.pid}\n${commandOf(process.pid)}\n`);
    claim.release();
    expect(existsSync(file())).toBe(false);
  });

  it('is refused while another process has it', async () => {
    claimOfAnother();
    await expect(lockDataDir(folder, say)).rejects.toThrow(
      `Annals already uses the data folder ${folder} (process ${process.ppid}).`,
    );
  });

  it('is waited for while another process is stopping', async () => {
    claimOfAnother('stopping');
    const claiming = lockDataDir(folder, (line) => {
      say(line);
      rmSync(file());
    });
    expect((await claiming).afterCrash).toBe(false);
    expect(said).toEqual(['Waiting for the previous run to stop.']);
  });

  it.each([
    ['nobody', '4194305\nnode start.mjs\n'],
    ['a process that got the id of the one that had it', `${process.ppid}\nanother command\n`],
    ['an earlier process with the id of this one', `${process.pid}\n${commandOf(process.pid)}\n`],
    ['a process that died before it could say who it was', ''],
  ])('is free when it is claimed by %s', async (_, content) => {
    writeFileSync(file(), content);
    expect((await lockDataDir(folder, say)).afterCrash).toBe(true);
    expect(readFileSync(file(), 'utf8')).toMatch(new RegExp(`^${process.pid}\n`));
  });

  it('is free even when the process that took it over died meanwhile', async () => {
    writeFileSync(file(), '4194305\nnode start.mjs\n');
    writeFileSync(`${file()}.takeover`, '4194304\nnode start.mjs\n');
    expect((await lockDataDir(folder, say)).afterCrash).toBe(true);
    expect(readdirSync(folder)).toEqual(['annals.pid']);
  });

  it('is not waited for any longer than requested', async () => {
    claimOfAnother('stopping');
    const waiting = new AbortController();
    await expect(lockDataDir(folder, () => waiting.abort(), waiting.signal)).rejects.toThrow('aborted');
  });

  it('belongs to one process, however many try to take it over at the same time', async () => {
    const claimers = [1, 2, 3].map(() => fork(CLAIMER, { execArgv: ['-r', HOOK] }));
    try {
      await Promise.all(claimers.map((claimer) => once(claimer, 'message')));
      for (let round = 0; round < 300; round++) {
        writeFileSync(file(), '4194305\nnode start.mjs\n');
        const answers = claimers.map((claimer) => once(claimer, 'message'));
        const startAt = Date.now() + 3;
        for (const claimer of claimers) claimer.send({ folder, startAt });
        const got = (await Promise.all(answers)).map(([answer]) => String(answer));
        expect(got.sort()).toEqual(['claimed', 'refused', 'refused']);
        expect(readdirSync(folder)).toEqual(['annals.pid']);
      }
    } finally {
      await Promise.all(
        claimers.map(async (claimer) => {
          claimer.disconnect();
          await once(claimer, 'exit');
        }),
      );
    }
  });
});
