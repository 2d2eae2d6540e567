import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotStart, commandOf } from '@annals/embedded';

/** The sole right to a data folder. */
export interface Claim {
  /** Whether the run before this one ended without giving its claim back, as after a `kill -9`. */
  readonly afterCrash: boolean;
  readonly release: () => void;
}

/**
 * Claims the data folder for this process.
 * @throws CannotStart when another one that still runs has it.
 */
export function claimDataFolder(dataDir: string): Claim {
  const file = join(dataDir, 'annals.pid');
  const release = () => rmSync(file, { force: true });
  const mine = `${process.pid}\n${commandOf(process.pid)}\n`;
  if (createFile(file, mine)) return { afterCrash: false, release };
  const [pid, command] = readFileSync(file, 'utf8').split('\n');
  if (Number(pid) !== process.pid && commandOf(Number(pid)) === command)
    throw new CannotStart(`Annals already runs on the data folder ${dataDir} (process ${pid}).`);
  release();
  if (!createFile(file, mine)) throw new CannotStart(`Another Annals is just starting on the data folder ${dataDir}.`);
  return { afterCrash: true, release };
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

/** The key that the data folder's zuliprc holds for this person, `undefined` when it holds none. */
export function readKey(dataDir: string, email: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(zuliprcPath(dataDir), 'utf8');
  } catch {
    return undefined;
  }
  const value = (name: string) => new RegExp(`^${name} *= *(.*?) *$`, 'm').exec(text)?.[1];
  return value('email') === email ? value('key') : undefined;
}

/** Writes the zuliprc whole or not at all, readable by its owner only. */
export function writeZuliprc(dataDir: string, { email, key, site }: Credentials): void {
  const unfinished = `${zuliprcPath(dataDir)}.unfinished`;
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, `[api]\nemail=${email}\nkey=${key}\nsite=${site}\n`, { mode: 0o600 });
  renameSync(unfinished, zuliprcPath(dataDir));
}
