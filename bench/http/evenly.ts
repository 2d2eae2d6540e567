import { setTimeout as pause } from 'node:timers/promises';

/** Requests at a time. */
export const CONNECTIONS = 64;
const TICK_MS = 2;

/**
 * Sends at even distances, whether those before are answered or not; later where too many are not.
 *
 * @param rate sends a second
 * @returns how many there were
 * @throws what a send throws
 */
export async function sendEvenly(send: () => Promise<unknown>, rate: number, seconds: number): Promise<number> {
  const began = performance.now();
  const count = rate * seconds;
  const sending: Promise<unknown>[] = [];
  let answered = 0;
  while (sending.length < count) {
    const due = Math.min(count, Math.ceil(((performance.now() - began) * rate) / 1_000));
    while (sending.length < due && sending.length - answered < CONNECTIONS) sending.push(send().then(() => answered++));
    await pause(TICK_MS);
  }
  await Promise.all(sending);
  return count;
}
