import type { EndpointDeclaration } from '@annals/web';
import { Routes } from '@annals/web';
import { PNG } from '../requests/emoji';
import type { Params } from '../server/caller';
import type { TestServer } from '../server/server';
import { pathAt, roleOf } from './places';
import { QUERIES } from './reads';
import type { Request, Role, Told, Twin } from './twin';
import { WRITES } from './writes';

/** Endpoints that do not answer before something happens. */
const WAITING = new Set(['/api/v1/audit/events/stream']);

type Endpoint = Pick<EndpointDeclaration, 'method' | 'path' | 'audience' | 'page' | 'params'>;

/** What somebody does at an endpoint. */
export interface Step {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly by: Role;
  /** The path with the ids and names of a twin. */
  readonly path: (twin: Twin) => string;
  readonly request: (twin: Twin) => Request;
  /** The code of the refusal that the twin itself gets. */
  readonly refused: string | undefined;
}

/** All mounted endpoints. */
export const endpointsOf = ({ apis }: TestServer): readonly Endpoint[] => apis[0]?.app.get(Routes).endpoints() ?? [];

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

/** Reads everything there is, except what waits. */
export function reads(server: TestServer): readonly Step[] {
  const some = endpointsOf(server).filter(({ method, path }) => method === 'GET' && !WAITING.has(path));
  return some.map((endpoint) => ({
    ...{ name: nameOf(endpoint), endpoint, by: roleOf(endpoint), refused: undefined },
    path: (twin) => pathAt(twin, endpoint),
    request: (twin) => ({ form: QUERIES[endpoint.path]?.(twin) ?? {} }),
  }));
}

/** The steps whose endpoint also answers about the past. */
export const ofThePast = (steps: readonly Step[]): readonly Step[] =>
  steps.filter(({ endpoint: { params } }) => params?.known.has('as_of'));

/** Writes of every kind, in an order in which most are granted. @throws Error for an endpoint without a request */
export function writes(server: TestServer): readonly Step[] {
  const mounted = new Map(
    endpointsOf(server).flatMap((one) => (one.method === 'GET' ? [] : [[nameOf(one), one] as const])),
  );
  const forgotten = [...mounted.keys()].filter((name) => !(name in WRITES));
  const gone = Object.keys(WRITES).filter((name) => !mounted.has(name));
  if (forgotten.length + gone.length > 0)
    throw new Error(`writes/ needs a request to ${forgotten.join(', ')}, and has one too many: ${gone.join(', ')}`);
  return Object.entries(WRITES).flatMap(([name, { by, form, json, isPicture, path, refused }]) => {
    const endpoint = mounted.get(name);
    if (!endpoint) return [];
    return {
      ...{ name, endpoint, by: by ?? (endpoint.page ? 'browser' : roleOf(endpoint)), refused },
      path: path ?? ((twin: Twin) => pathAt(twin, endpoint)),
      request: (twin: Twin): Request => ({
        form: { ...form?.(twin), ...(endpoint.page && { csrf_token: twin.names['form'] }) },
        ...(json && { json: json(twin) }),
        ...(isPicture && { file: { name: 'picture.png', bytes: new Uint8Array(PNG) } }),
      }),
    };
  });
}

/** Where a step leads. */
interface Towards extends Pick<Request, 'url'> {
  /** Left out: that of the twin. */
  readonly host?: string;
  /** Whose ids and names the request has. Left out: its own. */
  readonly names?: Twin;
  /** Parameters beside those of the step. */
  readonly more?: Params;
}

/** A twin takes a step, at a host of its own or of the other, with its own names or with those of the other. */
export function take(
  { endpoint, by, path, request }: Step,
  twin: Twin,
  { host = twin.host, names = twin, more = {}, ...at }: Towards = {},
): Promise<Told> {
  const origin = endpoint.page && endpoint.method === 'POST' ? { origin: `http://${host}` } : {};
  const { path: pattern } = endpoint;
  const type = pattern.startsWith('/scim/') ? { 'content-type': 'application/scim+json' } : {};
  const { form = {}, ...asked } = request(names);
  return twin.ask(by, endpoint.method, path(names), {
    ...at,
    ...asked,
    form: { ...form, ...more },
    host,
    headers: { ...origin, ...(endpoint.method === 'GET' ? {} : type) },
  });
}
