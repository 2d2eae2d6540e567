import type { TObject } from '@annals/kernel/domain';
import type { Protocol } from '../answer/protocol';
import type { EndpointAudience } from '../auth/audience';
import type { AddressQuota } from '../limits/rate-limits';
import type { ParamsSpec } from '../params/spec';
import type { FileLimit } from '../body/sent-file';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** What is special about a page. */
export interface PageDeclaration {
  /**
   * A POST is sent by other sites and by programs, for example by an identity provider. Its handler trusts nothing but what the request
   * itself proves. Otherwise a POST must come from a form of this server.
   */
  readonly fromElsewhere?: boolean;
}

/** The declaration of an endpoint beside its method and path. */
export interface EndpointOptions {
  readonly audience: EndpointAudience;
  /**
   * Fields of a success beside the envelope. Null if there are none. The reference shows them, and specs check every
   * answer against them. Its objects have no other properties unless they declare `additionalProperties` themselves. A
   * schema with an `$id` is described once for the whole reference.
   */
  readonly returns: TObject | null;
  /** Section of the interface document or page of the contract, for example `4.1` or `boot 2.1`. */
  readonly section?: string;
  /** One line for the reference. */
  readonly summary?: string;
  /** Name of the command that it sends. None for an endpoint that only reads. */
  readonly command?: string;
  /** Admits incoming-webhook bots, which may only send messages. */
  readonly webhookBots?: boolean;
  /**
   * `true` leaves a multipart body unread, for a handler that streams files itself. A limit permits one file beside the
   * parameters. The handler finds it in `RequestInfo.attached`.
   */
  readonly files?: true | FileLimit;
  /**
   * The path begins at the root of the server instead of `/api/v1`, and a success is `Bytes` instead of the envelope:
   * for browsers. GET only, unless it is a page. `returns` is null.
   */
  readonly root?: boolean;
  /** It belongs to an interface of another standard: its path begins there, and a success is `Bytes`. `returns` is null. */
  readonly protocol?: Protocol;
  /** A page for browsers, declared by `@Page()`: its caller has a session instead of a key, and it is not in the reference. */
  readonly page?: PageDeclaration;
  /** A success is `Bytes` instead of the envelope, as with `root`. GET only. `returns` is null. */
  readonly bytes?: boolean;
  /** A caller whose `Accept` prefers server-sent events gets `EventStreams.answer` instead of the envelope. GET only. */
  readonly streams?: true;
  /**
   * The realm for which a browser asks for name and key. It keeps them for this page only and sends them to no other
   * path. Left out: the API.
   */
  readonly challenge?: string;
  /**
   * The request need not know what other processes answered in so many milliseconds before it, so most requests do not
   * read the head of the log. For an endpoint that every client calls all the time, and that reveals nothing new.
   */
  readonly maxAgeMs?: number;
  /** The body is JSON of another system, see `RequestInfo.payload`. All parameters are in the query string. */
  readonly payload?: boolean;
  /** A public endpoint that also answers at the address of an organization that was deactivated. */
  readonly ofDeactivated?: true;
  /** Also sends its command when the log of the organization has reached its limit: it logs in, or ends something. */
  readonly evenIfFull?: true;
  /** The quota of its address that a public endpoint counts against. Left out: that of requests that need a key and have none. */
  readonly addressQuota?: AddressQuota;
  /** Does not count against the quota of the account. Requests without a valid key do count for their address. */
  readonly unlimited?: boolean;
}

/** A declared endpoint, for the guard, the decoder, the reference and `routes.txt`. */
export interface EndpointDeclaration extends EndpointOptions {
  readonly method: Method;
  /** Full path with `:name` and a last `*name`, for example `/api/v1/messages/:message_id`. */
  readonly path: string;
  readonly params: ParamsSpec | undefined;
  /** Names of path segments that must be decimal numbers for the route to match. */
  readonly ids: readonly string[];
  /** Name of the last part of the path if it may contain slashes. */
  readonly wildcard: string | undefined;
}

export const API = '/api/v1';
