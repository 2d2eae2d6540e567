import { once } from 'node:events';
import { createServer, isIPv6 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CannotStart } from '@annals/embedded';
import type { Say } from './service';

/**
 * Checks that the api can listen on this address, before anything is started for it.
 *
 * @param patienceMs how long the address may remain in use by an earlier run that is about to end
 * @throws CannotStart when it cannot
 */
export async function checkAddress(
  host: string,
  port: number,
  patienceMs: number,
  say: Say,
  signal: AbortSignal,
): Promise<void> {
  const giveUpAt = performance.now() + patienceMs;
  for (let round = 0; ; round++) {
    const server = createServer();
    try {
      server.listen(port, host);
      await once(server, 'listening');
      server.close();
      return void (await once(server, 'close'));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EADDRINUSE') throw new CannotStart(cannotListen(code, host, port));
      if (performance.now() >= giveUpAt)
        throw new CannotStart(
          `Port ${port} of ${host} is in use. Stop the other program, or set PORT to another port.`,
        );
      if (round === 0) say(`Waiting for port ${port}.`);
      await sleep(100, undefined, { signal });
    }
  }
}

function cannotListen(code: string | undefined, host: string, port: number): string {
  if (code === 'EACCES') return `Only root may listen on port ${port}. Set PORT to a port from 1024 to 65535.`;
  return `HOST is ${host}, which is not an address of this machine (${code}).`;
}

/** The address to connect to, for a host that was given to listen on. */
export function addressOf(host: string, port: number): string {
  const any = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${isIPv6(any) ? `[${any}]` : any}:${port}`;
}
