import type { Socket } from 'node:net';
import { connect as connectPlain, isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { connect as connectSecure } from 'node:tls';
import { Client } from 'ldapts';
import type { LdapDirectory } from '../../domain/ldap/directory';

const START_TLS = '1.3.6.1.4.1.1466.20037';
const DEFAULT_PORT = 389;

type Server = Pick<LdapDirectory, 'startTls' | 'ca' | 'login' | 'timeoutMs'>;

/**
 * Connects to one server and logs in to search.
 *
 * @throws Error when the server cannot be reached in time, its certificate is not trusted, or the login is refused
 */
export async function connect(url: string, server: Server): Promise<Client> {
  const { login, startTls, timeoutMs } = server;
  const client = startTls ? await upgraded(url, server) : clientOf(url, server);
  // However slowly a server sends parts of an answer, the end is known.
  const deadline = setTimeout(() => void client.unbind().catch(() => undefined), timeoutMs);
  try {
    if (login) await client.bind(login.dn, login.password);
    return client;
  } catch (error) {
    await client.unbind().catch(() => undefined);
    throw error;
  } finally {
    clearTimeout(deadline);
  }
}

function clientOf(url: string, { ca, timeoutMs }: Server): Client {
  const limits = { timeout: timeoutMs, connectTimeout: timeoutMs };
  const { protocol, hostname } = new URL(url);
  return new Client({ url, ...limits, ...(protocol === 'ldaps:' && { tlsOptions: tlsOf(hostname, ca) }) });
}

/**
 * A client that speaks over TLS on a connection that began without it. The client that asked for TLS is thrown away with
 * everything it read before: bytes that somebody added to the unprotected answer would otherwise count as a part of the
 * protected ones.
 */
async function upgraded(url: string, { ca, timeoutMs }: Server): Promise<Client> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connectPlain(Number(port) || DEFAULT_PORT, host);
  try {
    await opened(socket, 'connect', timeoutMs);
    const limits = { url, timeout: timeoutMs, connectTimeout: timeoutMs };
    await new Client({ ...limits, createConnection: () => socket }).exop(START_TLS);
    socket.removeAllListeners('data');
    const secure = connectSecure({ socket, host, ...tlsOf(hostname, ca) });
    await opened(secure, 'secureConnect', timeoutMs);
    return new Client({ ...limits, createConnection: () => secure });
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** A certificate is always checked. */
const tlsOf = (hostname: string, ca: string | null): ConnectionOptions => ({
  minVersion: 'TLSv1.2',
  ...(ca !== null && { ca }),
  ...(isIP(hostname.replace(/^\[|\]$/g, '')) === 0 && { servername: hostname }),
});

function opened(socket: Socket, event: 'connect' | 'secureConnect', timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => () => {
      clearTimeout(timer);
      socket.off('error', failed);
      end();
    };
    const failed = (error: Error) => settle(() => reject(error))();
    const timer = setTimeout(() => failed(new Error('Connection timeout')), timeoutMs);
    socket.once(event, settle(resolve));
    socket.once('error', failed);
  });
}
