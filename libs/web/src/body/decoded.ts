import { longWork } from '@annals/kernel';

/** Most bytes or characters of a body that is decoded at once. So many take about a millisecond. */
const SMALL = 64 * 1024;

/**
 * Decodes a received body: a small one at once, others in time slices, because two megabytes take up to 20 ms.
 *
 * @throws any error of `decode`, then or later
 */
export function decoded<T>(size: number, asker: string, decode: () => T): T | Promise<T> {
  return size <= SMALL ? decode() : longWork.run(asker, decode).then(({ result }) => result);
}
