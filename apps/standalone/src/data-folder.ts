import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CannotStart, commandOf } from '@annals/embedded';

const STOPPING = 'stopping';

/** The sole right to a data folder. */
export interface Claim {
  /** Whether the run before this one ended without giving its claim back, as after a `kill -9`. */
  readonly afterCrash: boolean;
  /** Says that this run is about to end, so that the next one waits for that. */
  readonly announceStop: () => void;
  readonly release: () => void;
}

/**
 * Claims the data folder for this process, after a run that is just stopping has stopped.
 * @throws CannotStart when another process has it and goes on running.
 */
export async function claimDataFolder(dataDir: string, say: (line: string) => void): Promise<Claim> {
  const file = join(dataDir, 'annals.pid');
  const mine = `${process.pid}\n${commandOf(process.pid)}\n`;
  const release = () => rmSync(file, { force: true });
  const announceStop = () => writeFileSync(file, `${mine}${STOPPING}\n`);
  let afterCrash = false;
  for (let round = 0; !createFile(file, mine);) {
    const [pid, command, state] = (textOf(file) ?? '').split('\n');
    const running = commandOf(Number(pid));
    if (running === undefined || running !== command || Number(pid) === process.pid) {
      release();
      afterCrash = true;
    } else if (state === STOPPING) {
      if (round++ === 0) say('Waiting for an earlier run to stop.');
      await sleep(50);
    } else throw new CannotStart(`Annals already runs on the data folder ${dataDir} (process ${pid}).`);
  }
  return { afterCrash, announceStop, release };
}

function createFile(file: string, content: string): boolean {
  try {
    writeFileSync(file, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new CannotStart(`The data folder cannot be used: ${(error as Error).message}.`);
  }
}

/** What a Zulip client needs to log in, as its configuration file holds it. */
export interface Credentials {
  readonly email: string;
  readonly key: string;
  readonly site: string;
}

export const zuliprcPath = (dataDir: string) => join(dataDir, 'zuliprc');
const unfinishedPath = (dataDir: string) => join(dataDir, 'zuliprc.unfinished');

/** The key that the data folder's zuliprc holds for this person, `undefined` when it holds none. */
export function readKey(dataDir: string, email: string): string | undefined {
  const text = textOf(zuliprcPath(dataDir)) ?? '';
  const value = (name: string) => new RegExp(`^${name} *= *(.*?) *$`, 'm').exec(text)?.[1];
  return value('email') === email ? value('key') : undefined;
}

/**
 * The key that the owner gets if there is no organization yet. It is written down, for the owner of the data folder
 * alone, before anything is asked to make it valid: a start that is ended at any moment is taken up with the same key.
 */
export function prepareKey(dataDir: string): string {
  const file = unfinishedPath(dataDir);
  const earlier = textOf(file)?.trim() ?? '';
  if (/^[0-9a-f]{32}$/.test(earlier)) return earlier;
  const key = randomBytes(16).toString('hex');
  rmSync(file, { force: true });
  writeFileSync(file, `${key}\n`, { mode: 0o600, flush: true });
  return key;
}

/** The prepared key was told to whom it belongs, or is nobody's. */
export const forgetPreparedKey = (dataDir: string) => rmSync(unfinishedPath(dataDir), { force: true });

/** Writes the zuliprc whole or not at all, readable by its owner only. */
export function writeZuliprc(dataDir: string, { email, key, site }: Credentials): void {
  const partial = `${zuliprcPath(dataDir)}.partial`;
  rmSync(partial, { force: true });
  writeFileSync(partial, `[api]\nemail=${email}\nkey=${key}\nsite=${site}\n`, { mode: 0o600, flush: true });
  renameSync(partial, zuliprcPath(dataDir));
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
