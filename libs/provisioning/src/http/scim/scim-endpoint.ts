import type { Method } from '@annals/web';
import { Endpoint } from '@annals/web';
import { SCIM } from './protocol';

interface ScimOptions {
  readonly summary: string;
  /** Name of what it changes. None for an endpoint that only reads. */
  readonly command?: string;
  /** Also when the log of the organization has reached its limit: it may end an account. */
  readonly evenIfFull?: true;
}

/** Declares an endpoint of SCIM, for programs with a token. Its body is JSON. @param path below `/scim/v2` */
export const ScimEndpoint = (
  method: Method,
  path: string,
  { summary, command, evenIfFull }: ScimOptions,
): MethodDecorator =>
  Endpoint(method, path, {
    audience: 'provisioning',
    protocol: SCIM,
    payload: method !== 'GET' && method !== 'DELETE',
    summary,
    ...(command !== undefined && { command }),
    ...(evenIfFull === true && { evenIfFull }),
    returns: null,
  });
