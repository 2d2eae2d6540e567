import type { JobData } from './job';
import type { Queues } from './queues';

/**
 * Deletes the jobs of a queue whose data say that they are meant, except running ones, also those that failed.
 *
 * @returns how many there were
 * @throws QueuesUnavailable
 */
export async function forgetJobs(queues: Queues, name: string, isMeant: (data: JobData) => boolean): Promise<number> {
  const { waiting, delayed, failed } = await queues.counts(name);
  if (waiting + delayed + failed === 0) return 0;
  const jobs = await queues.queue(name).getJobs(['waiting', 'delayed', 'failed']);
  const meant = jobs.filter((job) => isMeant(job.data));
  // Another process may be faster.
  for (const job of meant) await job.remove().catch(() => undefined);
  return meant.length;
}
