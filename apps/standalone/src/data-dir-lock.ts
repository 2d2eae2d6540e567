import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CannotStart, commandOf } from '@annals/embedded';

const STOPPING = 'stopping';

/** The sole right to a data folder. */
export interface DataDirLock {
  /** Whether the run before this one ended without giving its claim back, as after a `kill -9`. */
  readonly afterCrash: boolean;
  /** Says that this run is about to end, so that the next one waits for that. */
  readonly announceStop: () => void;
  readonly release: () => void;
}

/**
 * Claims the data folder for this process, after an earlier run that is just stopping has stopped.
 *
 * @param signal ends the waiting
 * @throws CannotStart when another process has it and continues to run
 */
export async function lockDataDir(
  dataDir: string,
  say: (line: string) => void,
  signal?: AbortSignal,
): Promise<DataDirLock> {
  const file = join(dataDir, 'annals.pid');
  const mine = `${process.pid}\n${commandOf(process.pid)}\n`;
  let afterCrash = false;
  for (let round = 0; !create(file, mine);) {
    const found = contentOf(file);
    if (found === undefined) continue;
    const [pid, , state] = found.split('\n');
    if (isStale(found)) {
      if (removeAlone(file, found, mine)) afterCrash = true;
      else await sleep(1, undefined, { signal });
    } else if (state === STOPPING) {
      if (round++ === 0) say('Waiting for the previous run to stop.');
      await sleep(50, undefined, { signal });
    } else throw new CannotStart(`Annals already uses the data folder ${dataDir} (process ${pid}).`);
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

/** Creates the file with its content at once, so that no process reads half of it. False if it exists. */
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

/** Whether the process that wrote it has ended. An earlier one with the id of this process has, too. */
function isStale(content: string): boolean {
  const [pid, command] = content.split('\n');
  const running = commandOf(Number(pid));
  return running === undefined || running !== command || Number(pid) === process.pid;
}

/**
 * Removes an abandoned claim, while no other process removes anything: a process that looked earlier would remove the
 * new claim of a faster one. False while another process does so.
 */
function removeAlone(file: string, content: string, mine: string): boolean {
  const takeover = `${file}.takeover`;
  if (!create(takeover, mine)) {
    const other = contentOf(takeover);
    if (other !== undefined && isStale(other)) removeStale(takeover, other);
    return false;
  }
  const isThere = contentOf(file) === content;
  if (isThere) rmSync(file);
  rmSync(takeover);
  return isThere;
}

/**
 * Removes the lock file of a process that died while it took over. The file is moved aside first and read again there. If it
 * has another content, it is put back.
 */
function removeStale(file: string, content: string): void {
  const aside = draftOf(file);
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (contentOf(aside) !== content) linkSync(aside, file);
  rmSync(aside, { force: true });
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
