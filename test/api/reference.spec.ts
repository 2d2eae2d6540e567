import { Routes } from '@annals/web';
import type { TestServer } from '../support/server/server';
import { startTestServer } from '../support/server/server';

type Schema = Readonly<Record<string, unknown>>;
interface Operation {
  readonly parameters: readonly Schema[];
  readonly responses: Readonly<Record<string, { content: { 'application/json': { schema: Schema } } }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

let server: TestServer;
let document: Document;
beforeAll(async () => {
  server = await startTestServer();
  document = (await (await fetch(`${server.url}/api/docs.json`)).json()) as Document;
});
afterAll(() => server.close());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );

/** Every schema within a part of the document. */
function within(part: unknown): Schema[] {
  if (typeof part !== 'object' || part === null) return [];
  const inner = Object.values(part).flatMap(within);
  return Array.isArray(part) ? inner : [part as Schema, ...inner];
}

describe('the reference of the api', () => {
  it('describes every endpoint that is no page', () => {
    const endpoints = server.apis[0]?.app.get(Routes).documented() ?? [];
    expect(operations()).toHaveLength(endpoints.length);
    expect(endpoints.filter(({ returns }) => returns === undefined)).toEqual([]);
  });

  it('lists the fields of every success, or gives the reason why not', () => {
    const answers = operations().map(({ operation }) => operation.responses);
    const vague = within([answers, document.components.schemas]).filter(
      ({ type, additionalProperties: more, description }) =>
        type === 'object' && (more === undefined || (more === true && description === undefined)),
    );
    expect(vague).toEqual([]);
  });

  it('describes what several endpoints answer once', () => {
    const names = Object.keys(document.components.schemas);
    expect(names).toEqual(expect.arrayContaining(['Channel', 'Message', 'Subscription', 'User', 'UserGroup']));
    const references = within(document).flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []));
    expect([...new Set(references)].sort()).toEqual(names.map((name) => `#/components/schemas/${name}`).sort());
  });

  it('says where an answer may be a stream of events', () => {
    for (const path of ['events', 'feed/consumers/{name}/events']) {
      const { parameters, responses } = document.paths[`/api/v1/${path}`]?.['get'] ?? {};
      expect(Object.keys(responses?.['200']?.content ?? {})).toEqual(['application/json', 'text/event-stream']);
      expect(parameters).toContainEqual(expect.objectContaining({ name: 'Last-Event-ID', in: 'header' }));
    }
  });

  it('is checked against every answer in a spec', () => {
    const answer = { result: 'success', msg: '', user_id: server.owner.id };
    expect(() => server.answered('GET', '/api/v1/users/me', answer)).toThrow('answers otherwise than it declares');
  });
});
