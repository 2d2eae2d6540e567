import { lookup } from 'node:dns/promises';
import type { IncomingHttpHeaders, RequestOptions } from 'node:http';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import type { AddressGuard } from './address-guard';
import { beginningOf } from './beginning-of';

/** Why a request on behalf of a user had no answer. */
export type OutgoingFault = 'address' | 'insecure' | 'redirects' | 'slow' | 'unreachable' | 'url';

/** A request on behalf of a user that was not sent, or had no answer. */
export class OutgoingRefused extends Error {
  constructor(
    readonly fault: OutgoingFault,
    options?: ErrorOptions,
  ) {
    super(`the request was refused: ${fault}`, options);
  }
}

export interface OutgoingRequest {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** To which addresses a request may go. */
export interface OutgoingScope {
  /** Milliseconds for all of it, redirects included. */
  readonly ms: number;
  /** Without TLS only to the networks that the operator has named. */
  readonly isSecure?: boolean;
}

export interface OutgoingLimits extends OutgoingScope {
  /** Bytes that are read of the answer. */
  readonly maxBytes: number;
  /** Redirects that are followed. 0: an answer that redirects is the answer. */
  readonly redirects: number;
}

export interface OutgoingAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The body has more bytes than were read. */
  readonly isCut: boolean;
  /** The URL that answered. */
  readonly url: URL;
}

interface Resolved {
  readonly address: string;
  readonly family: number;
}

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly Resolved[]>;

const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:']);
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_HEADER_BYTES = 16_384;

/**
 * Requests to other servers on behalf of users, who choose the URL. A name is resolved once. The connection is made to
 * the addresses that were checked, so a name that means another address later leads nowhere. Each redirect is checked
 * in the same way.
 */
export class OutgoingRequests {
  constructor(
    private readonly guard: AddressGuard,
    private readonly resolve: Resolve = (name) => lookup(name, { all: true, verbatim: true }),
  ) {}

  /** @throws OutgoingRefused */
  async send(address: string, request: OutgoingRequest, limits: OutgoingLimits): Promise<OutgoingAnswer> {
    return within(limits.ms, async (signal) => {
      let url = checkedUrl(address);
      for (let left = limits.redirects; ; left -= 1) {
        const answer = await this.once(url, request, limits, signal);
        const next = limits.redirects === 0 ? null : redirectOf(answer);
        if (next === null) return answer;
        if (left === 0) throw new OutgoingRefused('redirects');
        url = checkedUrl(next, url);
      }
    });
  }

  /** Whether a request would be sent: the addresses of the URL are allowed now. @throws OutgoingRefused */
  async check(address: string, scope: OutgoingScope): Promise<void> {
    await within(scope.ms, (signal) => this.reachable(checkedUrl(address), scope, signal));
  }

  /**
   * The addresses of a server of another kind, to which a client library may connect now.
   *
   * @param host a name or an IP address
   * @param isPlain without TLS
   * @throws OutgoingRefused
   */
  async addresses(host: string, isPlain: boolean, { ms, isSecure = false }: OutgoingScope): Promise<readonly string[]> {
    const allowed = await within(ms, (signal) => this.allowed(host, isPlain && isSecure, signal));
    return allowed.map(({ address }) => address);
  }

  private reachable(url: URL, { isSecure = false }: OutgoingScope, signal: AbortSignal) {
    return this.allowed(url.hostname.replace(/^\[|\]$/g, ''), isSecure && url.protocol === 'http:', signal);
  }

  /** @param isInsecure only the networks that the operator has named are allowed */
  private async allowed(host: string, isInsecure: boolean, signal: AbortSignal): Promise<readonly Resolved[]> {
    const addresses = await unlessAborted(this.addressesOf(host), signal);
    if (isInsecure && !addresses.every((one) => this.guard.isNamed(one.address))) throw new OutgoingRefused('insecure');
    return addresses;
  }

  private async once(url: URL, request: OutgoingRequest, limits: OutgoingLimits, signal: AbortSignal) {
    const addresses = await this.reachable(url, limits, signal);
    const options: RequestOptions = {
      method: request.method ?? 'GET',
      // A compressed body could be many times as long as it is.
      headers: { 'accept-encoding': 'identity', ...request.headers },
      agent: false,
      lookup: pinnedTo(addresses),
      maxHeaderSize: MAX_HEADER_BYTES,
      signal,
    };
    return new Promise<OutgoingAnswer>((resolve, reject) => {
      const sending = (url.protocol === 'https:' ? https : http).request(url, options);
      sending.on('error', reject);
      // A server that switches to another protocol causes no error.
      const closed = () => reject(new Error('the connection ended without a response'));
      sending.once('close', closed);
      sending.on('response', (response) => {
        sending.off('close', closed);
        beginningOf(response as AsyncIterable<Buffer>, limits.maxBytes).then(
          (read) => resolve({ status: response.statusCode ?? 0, headers: response.headers, url, ...read }),
          reject,
        );
      });
      sending.end(request.body);
    });
  }

  /** @throws OutgoingRefused if one of them is not public: a name has no business to mean both */
  private async addressesOf(host: string): Promise<readonly Resolved[]> {
    const family = isIP(host);
    const addresses = family > 0 ? [{ address: host, family }] : await this.resolve(host);
    if (addresses.length === 0) throw new OutgoingRefused('unreachable');
    if (!addresses.every(({ address }) => this.guard.allows(address))) throw new OutgoingRefused('address');
    return addresses;
  }
}

/** @throws OutgoingRefused for what is no plain URL of a web server */
function checkedUrl(written: string, base?: URL): URL {
  if (!URL.canParse(written, base?.href)) throw new OutgoingRefused('url');
  const url = new URL(written, base);
  if (!SCHEMES.has(url.protocol) || url.username !== '' || url.password !== '') throw new OutgoingRefused('url');
  return url;
}

/** Runs a task, and says why it had no answer. */
async function within<T>(ms: number, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(ms);
  try {
    return await task(signal);
  } catch (error) {
    if (error instanceof OutgoingRefused) throw error;
    throw new OutgoingRefused(signal.aborted ? 'slow' : 'unreachable', { cause: error });
  }
}

const redirectOf = ({ status, headers }: OutgoingAnswer): string | null =>
  REDIRECTS.has(status) ? (headers.location ?? null) : null;

/** Stands for the system's resolver, and knows only what was checked. */
const pinnedTo =
  (addresses: readonly Resolved[]): LookupFunction =>
  (_, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(new Error('the time is over', { cause: signal.reason }));
    signal.addEventListener('abort', abort);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
