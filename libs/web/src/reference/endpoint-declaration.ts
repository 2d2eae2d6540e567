import type { TObject } from '@annals/kernel/domain';
import type { Audience } from '../auth/audience';
import type { ParamsSpec } from '../params/spec';
import type { FileLimit } from '../body/sent-file';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** What is declared about an endpoint beside its method and path. */
export interface EndpointOptions {
  readonly audience: Audience;
  /**
   * Fields of a success beside the envelope; null when there are none. The reference shows them, and specs hold every
   * answer to them. Its objects have no other properties unless they say `additionalProperties` themselves; a schema with
   * an `$id` is described once for the whole reference.
   */
  readonly returns: TObject | null;
  /** Section of the interface document or page of the contract, for example `4.1` or `boot 2.1`. */
  readonly section?: string;
  /** One line for the reference. */
  readonly summary?: string;
  /** Name of the command it sends; none for an endpoint that only reads. */
  readonly command?: string;
  /** Lets incoming-webhook bots in; they may only send messages. */
  readonly webhookBots?: boolean;
  /**
   * `true` leaves a multipart body unread, for a handler that streams files itself. A limit lets one file stand beside the
   * parameters; the handler finds it in `RequestInfo.attached`.
   */
  readonly files?: true | FileLimit;
  /**
   * The path begins at the root of the server instead of `/api/v1`, and a success is `Bytes` instead of the envelope: for
   * what is looked at. GET only; `returns` is null.
   */
  readonly root?: boolean;
  /**
   * What a browser is to ask the name and key for, which it then keeps for this page only and shows to no other path;
   * left out, the API.
   */
  readonly challenge?: string;
  /** Does not count against the caller's quota. */
  readonly unlimited?: boolean;
}

/** A declared endpoint, as the guard, the decoder, the reference and `routes.txt` see it. */
export interface EndpointDeclaration extends EndpointOptions {
  readonly method: Method;
  /** Full path with `:name` and a last `*name`, for example `/api/v1/messages/:message_id`. */
  readonly path: string;
  readonly params: ParamsSpec | undefined;
  /** Names of path segments that must be decimal numbers for the route to match. */
  readonly ids: readonly string[];
  /** Name of the last part of the path when it may hold slashes. */
  readonly wildcard: string | undefined;
}

export const API = '/api/v1';
