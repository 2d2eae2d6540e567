import type { EndpointDeclaration, Routes } from '@annals/web';
import { successShape } from '@annals/web';
import type { TypeCheck } from '@sinclair/typebox/compiler';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { TObject } from '@annals/kernel/domain';

interface Declared {
  readonly endpoint: EndpointDeclaration;
  readonly pattern: RegExp;
}

/** Endpoints are declared once for all servers of a process, and compiling their shapes takes long. */
const shapes = new WeakMap<EndpointDeclaration, TypeCheck<TObject>>();

function shapeOf(endpoint: EndpointDeclaration): TypeCheck<TObject> {
  const shape = shapes.get(endpoint) ?? TypeCompiler.Compile(successShape(endpoint));
  shapes.set(endpoint, shape);
  return shape;
}

/** Compares the answers of endpoints with their declarations, so that the reference is correct. */
export class DeclaredAnswers {
  private readonly declared: readonly Declared[];

  constructor(routes: Routes) {
    // The router prefers words to parameters, `users/me` to `users/:user`.
    const parameters = ({ path }: EndpointDeclaration) => path.split(/[:*]/).length;
    this.declared = [...routes.endpoints()]
      .sort((a, b) => parameters(a) - parameters(b))
      .map((endpoint) => ({ endpoint, pattern: patternOf(endpoint.path) }));
  }

  /**
   * @param url from `/api/v1` on, with or without a query
   * @throws Error naming the first place where a success is not as its endpoint declares
   */
  check(method: string, url: string, body: unknown): void {
    const [path = ''] = url.split('?');
    const found = this.declared.find(({ endpoint, pattern }) => endpoint.method === method && pattern.test(path));
    if (!found) throw new Error(`${method} ${path} succeeded, and is no endpoint`);
    if (found.endpoint.bytes) return; // a document of its own, without the envelope
    const shape = shapeOf(found.endpoint);
    if (shape.Check(body)) return;
    const problem = shape.Errors(body).First();
    const nested = problem?.errors.map((errors) => errors.First()?.path ?? '').join(', ') ?? '';
    throw new Error(
      `${method} ${found.endpoint.path} answers otherwise than it declares: ${problem?.message} at ` +
        `${problem?.path} (${nested}): ${JSON.stringify(problem?.value)}`,
    );
  }
}

const patternOf = (path: string) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+').replace(/\*\w+/, '.+')}$`);
