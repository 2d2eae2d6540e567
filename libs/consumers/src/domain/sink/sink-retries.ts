/** Waits in ms after failed attempts. The last one is repeated for ever. An engine that is back is soon noticed. */
const BACKOFF_MS = [1_000, 5_000, 15_000, 60_000];
const LONGEST_MS = 60_000;

/** How long a batch waits that an engine did not take. @param failures attempts of the same events that failed before */
export const waitAfter = (failures: number): number => BACKOFF_MS[failures] ?? LONGEST_MS;
