import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that operating systems give to connections and to servers that ask for any port. */
const FIRST = 20_000;
const AFTER_LAST = 32_000;
const TRIES = 100;

/**
 * A TCP port of 127.0.0.1 that was free a moment ago. Another process may take it, so the caller must be able to try
 * again.
 *
 * @throws Error if no port was found
 */
export async function freePort(): Promise<number> {
  for (let n = 0; n < TRIES; n++) {
    const port = randomInt(FIRST, AFTER_LAST);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port of 127.0.0.1 was found between ${FIRST} and ${AFTER_LAST}.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
