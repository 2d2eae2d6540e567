import type { Kernel } from '@annals/kernel';
import { discardStateBeyondLog, QueuesUnavailable, stateRestored } from '@annals/kernel';
import type { Settings } from '../../../shared/src/settings';
import { openKernel } from '../../../shared/src/open-kernel';
import { busy } from '../progress';
import { rebuildProgress } from '../rebuild-progress';

export interface RestoredIo {
  readonly print: (line: string) => void;
  /** Asks the operator. Null if there is no terminal. */
  readonly ask: ((question: string) => Promise<string>) | null;
}

/** How long a Redis that is away is waited for. */
const QUEUES_PATIENCE_MS = 2_000;

const WARNING = [
  'Use this after a restore from a backup, or after a failover to a replica that lagged. Positions of the logs were taken',
  'back, and later events will get the same positions. This command will',
  '  - drop all client queues, so that clients register again;',
  '  - delete all jobs (due work is found again);',
  '  - move back, or rebuild, what is beyond the end of a log;',
  '  - make every running api and worker end, to be restarted;',
  '  - write a kernel.Restored event into every log.',
  'It may run again. Keys and passwords are those of the backup: keys that were revoked after it are valid again.',
];

/**
 * `annals restored`: completes a restore. Without `--yes` the operator has to type the word.
 *
 * @returns 0, or 1 when nothing was done
 */
export async function restored(settings: Settings, isSure: boolean, { print, ask }: RestoredIo): Promise<number> {
  for (const line of WARNING) print(line);
  if (!isSure && (await ask?.('Type "restored" to continue: ')) !== 'restored') {
    print(`Nothing was done.${ask ? '' : ' Use --yes to continue without a question.'}`);
    return 1;
  }
  await completeRestore(settings, print);
  print('Done. Start api and worker. Those that ran before are ending.');
  return 0;
}

/** Makes clients and followers start again, and records that in every log. May be repeated. */
export async function completeRestore(settings: Settings, print: (line: string) => void): Promise<void> {
  const quiet = { ...settings, ANNALS_LOG_LEVEL: 'error' } as const;
  const before = await openKernel(quiet, { poolSize: 4 });
  let rebuild: readonly string[];
  try {
    rebuild = await discardState(before, print);
  } finally {
    await before.close();
  }
  const kernel = await openKernel(quiet, { poolSize: 4 });
  try {
    await goOn(kernel, rebuild, print);
  } finally {
    await kernel.close();
  }
}

/** @returns names of the read models to rebuild */
async function discardState(kernel: Kernel, print: (line: string) => void): Promise<readonly string[]> {
  const [first] = await kernel.outdated();
  if (first) {
    const live = first.live ?? 'none';
    throw new Error(`The read model ${first.name} is live in version ${live}: run "annals views upgrade" first.`);
  }
  const { reports, readers, rebuild } = await busy('discarding what is beyond the logs', () =>
    discardStateBeyondLog(kernel),
  );
  for (const line of reports) print(line);
  for (const name of readers) print(`${name}: was beyond the end of a log, moved back to it`);
  await discardJobs(kernel, print);
  return rebuild;
}

async function discardJobs(kernel: Kernel, print: (line: string) => void): Promise<void> {
  const queues = await kernel.queues();
  await queues.whenReachable(QUEUES_PATIENCE_MS);
  for (const name of kernel.queueNames) {
    try {
      await queues.clear(name);
      print(`${name}: jobs deleted`);
    } catch (error) {
      if (!(error instanceof QueuesUnavailable)) throw error;
      print(`${name}: the store of its jobs cannot be reached; no process will use these jobs`);
    }
  }
}

async function goOn(kernel: Kernel, rebuild: readonly string[], print: (line: string) => void): Promise<void> {
  const heads = await busy('writing the restore into the logs', () => stateRestored(kernel, 'annals restored'));
  for (const [realmId, head] of heads) print(`realm ${realmId}: restored up to position ${head}, continues from there`);
  if (heads.size === 0) print('There is no organization yet.');
  if (rebuild.length === 0) return;
  await rebuildProgress(kernel).run((build) => build.run(rebuild, { restart: true }));
  await kernel.store.dropPrevious(rebuild);
  for (const name of rebuild) print(`${name}: was beyond the end of a log, rebuilt`);
}
