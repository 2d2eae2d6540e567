import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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
 *
 * @param signal ends the waiting
 * @throws CannotStart when another process has it and goes on running
 */
export async function claimDataFolder(
  dataDir: string,
  say: (line: string) => void,
  signal?: AbortSignal,
): Promise<Claim> {
  const file = join(dataDir, 'annals.pid');
  const mine = `${process.pid}\n${commandOf(process.pid)}\n`;
  let afterCrash = false;
  for (let round = 0; !create(file, mine);) {
    const found = contentOf(file);
    if (found === undefined) continue;
    const [pid, command, state] = found.split('\n');
    const running = commandOf(Number(pid));
    if (running === undefined || running !== command || Number(pid) === process.pid) {
      if (removeStale(file, found)) afterCrash = true;
    } else if (state === STOPPING) {
      if (round++ === 0) say('Waiting for an earlier run to stop.');
      await sleep(50, undefined, { signal });
    } else throw new CannotStart(`Annals already runs on the data folder ${dataDir} (process ${pid}).`);
  }
  return {
    afterCrash,
    announceStop: () => {
      writeFileSync(draftOf(file), `${mine}${STOPPING}\n`);
      renameSync(draftOf(file), file);
    },
    release: () => rmSync(file, { force: true }),
  };
}

const draftOf = (file: string) => `${file}.${process.pid}`;

/** Creates the file with its content at once, so that nobody ever reads half of it; false when it is there. */
function create(file: string, content: string): boolean {
  const draft = draftOf(file);
  try {
    writeFileSync(draft, content);
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new CannotStart(`The data folder cannot be used: ${(error as Error).message}.`);
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Removes a claim that nobody holds, unless somebody else did so first: what is moved aside is looked at again, and put
 * back when it is the claim of whoever was faster.
 */
function removeStale(file: string, content: string): boolean {
  const aside = draftOf(file);
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  const isStale = contentOf(aside) === content;
  if (!isStale) linkSync(aside, file);
  rmSync(aside, { force: true });
  return isStale;
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
