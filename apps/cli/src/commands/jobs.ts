import type { FailedJob, Kernel, Queues } from '@annals/kernel';
import { QueuesUnavailable } from '@annals/kernel';

/** How long a Redis that is away is waited for. */
const QUEUES_PATIENCE_MS = 2_000;
/** More than any queue keeps. */
const ALL = 100_000;

type Print = (line: string) => void;

/**
 * `annals jobs list`: the jobs that were given up, of one queue or of all, newest first.
 *
 * @returns 0, or 1 when the store of the jobs is away
 * @throws Error when there is no such queue
 */
export async function listJobs(
  kernel: Kernel,
  { queue, json }: { readonly queue?: string | undefined; readonly json: boolean },
  print: Print,
): Promise<number> {
  return withQueues(kernel, queue, print, async (queues) => {
    let found = 0;
    for (const name of queue === undefined ? kernel.queueNames : [queue]) {
      for (const job of await queues.failed(name, ALL)) {
        print(json ? JSON.stringify({ queue: name, ...job }) : describe(name, job));
        found += 1;
      }
    }
    if (found === 0 && !json) print('No job has failed.');
    return 0;
  });
}

/**
 * `annals jobs retry`: runs failed jobs again, with all their attempts.
 *
 * @param ids of jobs. All failed ones when there are none
 * @returns 0, or 1 when one of them does not exist or the store of the jobs is unavailable
 * @throws Error when there is no such queue
 */
export async function retryJobs(
  kernel: Kernel,
  { queue, ids }: { readonly queue: string; readonly ids: readonly string[] },
  print: Print,
): Promise<number> {
  return withQueues(kernel, queue, print, async (queues) => {
    // Read once: one that fails again meanwhile is not tried for ever.
    const wanted = ids.length > 0 ? ids : (await queues.failed(queue, ALL)).map(({ id }) => id);
    let missing = 0;
    for (const id of wanted) {
      const isRetried = await queues.retry(queue, id);
      if (!isRetried && ids.length > 0) missing += 1;
      if (isRetried) print(`${queue} ${id}: runs again`);
      else if (ids.length > 0) print(`${queue} ${id}: no such job has failed`);
    }
    if (wanted.length === 0) print('No job has failed.');
    return missing === 0 ? 0 : 1;
  });
}

async function withQueues(
  kernel: Kernel,
  queue: string | undefined,
  print: Print,
  run: (queues: Queues) => Promise<number>,
): Promise<number> {
  if (queue !== undefined && !kernel.queueNames.includes(queue))
    throw new Error(`There is no queue ${queue}; there are ${kernel.queueNames.join(', ')}.`);
  const queues = await kernel.queues();
  await queues.whenReachable(QUEUES_PATIENCE_MS);
  try {
    return await run(queues);
  } catch (error) {
    if (!(error instanceof QueuesUnavailable)) throw error;
    print('The store of jobs cannot be reached.');
    return 1;
  }
}

function describe(queue: string, { id, data, attempts, reason, failedAt }: FailedJob): string {
  const tries = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
  const [why = ''] = reason.split('\n');
  return `${queue} ${id} ${JSON.stringify(data)}, failed ${new Date(failedAt).toISOString()} after ${tries}: ${why}`;
}
