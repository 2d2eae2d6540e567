import { longWork } from '@annals/kernel';

/** What a body may have, in bytes or characters, to be decoded at once: as much takes about a millisecond. */
const SMALL = 64 * 1024;

/**
 * Decodes what somebody has sent: at once where it is small, else in turn with other long work, for two megabytes take
 * up to 20 ms.
 *
 * @throws what `decode` throws, then or later
 */
export function decoded<T>(size: number, asker: string, decode: () => T): T | Promise<T> {
  return size <= SMALL ? decode() : longWork.run(asker, decode).then(({ result }) => result);
}
