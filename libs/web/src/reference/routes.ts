import type { Protocol } from '../answer/protocol';
import type { EndpointDeclaration } from './endpoint-declaration';
import { API } from './endpoint-declaration';

/** A route of the running application. */
export interface Route {
  readonly method: string;
  /** Pattern in the form of the router. */
  readonly path: string;
  /** Undefined outside the API. */
  readonly endpoint: EndpointDeclaration | undefined;
}

/** Every route that was mounted, for the reference, the table of routes and the answer to a wrong method. */
export class Routes {
  private readonly mounted: (Route & { readonly pattern: RegExp })[] = [];
  private readonly protocols = new Set<Protocol>();

  /** @throws Error for a route in the API that was not declared with `@Endpoint()` */
  add(route: Route): void {
    if (route.endpoint === undefined && route.path.startsWith(`${API}/`)) {
      throw new Error(`${route.method} ${route.path} has no audience: declare it with @Endpoint()`);
    }
    if (route.endpoint?.protocol) this.protocols.add(route.endpoint.protocol);
    this.mounted.push({ ...route, pattern: patternOf(route) });
  }

  all(): readonly Route[] {
    return this.mounted;
  }

  endpoints(): readonly EndpointDeclaration[] {
    return this.mounted.flatMap(({ endpoint, method }) => (endpoint?.method === method ? [endpoint] : []));
  }

  /** The endpoints of the API: those that are no pages. */
  documented(): readonly EndpointDeclaration[] {
    return this.endpoints().filter(({ page }) => page === undefined);
  }

  /** Methods of this URL, sorted. None for an unknown route. */
  methodsOf(url: string): string[] {
    const path = url.replace(/\?.*$/s, '').replace(/(?<=.)\/$/, '');
    const methods = this.mounted.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    return [...new Set(methods)].sort();
  }

  /** The other standard that this URL belongs to, whether or not a route matches. Undefined for the API and for pages. */
  protocolOf(url: string): Protocol | undefined {
    return [...this.protocols].find(({ base }) => url.startsWith(base) && /^[/?]|^$/.test(url.slice(base.length)));
  }

  /** One line for each endpoint: method, path, audience and command, sorted. For `test/api/routes.txt`. */
  table(): string {
    return this.endpoints()
      .map(({ method, path, audience, command }) => `${method} ${path} ${audience} ${command ?? '-'}`)
      .sort()
      .join('\n');
  }
}

function patternOf({ path, endpoint }: Route): RegExp {
  const segments = path.split('/').map((segment) => {
    if (segment === '*') return '.+';
    if (!segment.startsWith(':')) return segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return endpoint?.ids.includes(segment.slice(1)) ? '\\d+' : '[^/]+';
  });
  return new RegExp(`^${segments.join('/')}$`);
}
