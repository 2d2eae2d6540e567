/** Not in a name of a worker, which is printable. */
const SEPARATOR = '\n';

/** Who has events leased: a worker that pulls, by its name, or one stream of a worker. */
export const streamHolder = (worker: string, streamId: string): string => `${worker}${SEPARATOR}${streamId}`;

/** The name of the worker of a holder. */
export const workerOf = (holder: string): string => holder.split(SEPARATOR, 1)[0] ?? '';

/** Whether a holder is a stream of a worker. */
export const isStreamOf = (holder: string, worker: string): boolean => holder.startsWith(`${worker}${SEPARATOR}`);
