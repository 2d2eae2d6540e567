import { Routes } from '@annals/web';
import type { TestServer } from '../support/server/server';
import { startTestServer } from '../support/server/server';

const METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

/** It has errors of its own form (`test/api/provisioning`). */
const SCIM = '/scim/';

let server: TestServer;
beforeAll(async () => (server = await startTestServer()));
afterAll(() => server.close());

const ask = (method: string, path: string) => fetch(`${server.url}${path}`, { method });
const bodyOf = async (response: Response) => (await response.json()) as Record<string, unknown>;

/** Paths of the API with numbers and with words in the place of their parameters. */
function paths(): string[] {
  const patterns = (server.apis[0]?.app.get(Routes).endpoints() ?? []).filter(({ path }) => !path.startsWith(SCIM));
  return [...new Set(patterns.flatMap(({ path }) => ['7', 'word'].map((part) => path.replace(/:\w+/g, part))))];
}

describe('a method that a path does not answer to', () => {
  it('is answered with all methods of the path, and no others', async () => {
    expect(paths().length).toBeGreaterThan(10);
    for (const path of paths()) {
      const answers = await Promise.all(METHODS.map(async (method) => ({ method, response: await ask(method, path) })));
      const allowed = answers.filter(({ response }) => response.status !== 405).map(({ method }) => method);
      const wrong = answers.filter(({ method, response }) => response.status === 405 && method !== 'HEAD');
      // A path with methods may still have no resource for these words.
      const works = answers.filter(({ response: { status } }) =>
        (wrong.length > 0 ? [200, 400, 401, 403, 404] : [200, 400, 401, 403]).includes(status),
      );
      if (works.length === 0) {
        expect([path, ...answers.map(({ response }) => response.status)]).toEqual([path, ...METHODS.map(() => 404)]);
        continue;
      }
      expect([path, ...allowed]).toEqual([path, ...works.map(({ method }) => method)]);
      for (const { method, response } of wrong) {
        expect([method, path, response.headers.get('allow')]).toEqual([method, path, allowed.join(', ')]);
        expect(await bodyOf(response)).toEqual({
          result: 'error',
          msg: 'Method Not Allowed',
          code: 'BAD_REQUEST',
          allowed_methods: allowed,
        });
      }
    }
  });

  it('excludes OPTIONS, which no path answers', async () => {
    const response = await ask('OPTIONS', '/api/v1/messages');
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  });

  it('ignores routes of other methods whose path parameters do not match', async () => {
    const word = await ask('DELETE', '/api/v1/users/somebody@example.com');
    expect([word.status, word.headers.get('allow')]).toEqual([405, 'GET, HEAD, PATCH']);
    const id = await ask('PUT', '/api/v1/users/7');
    expect([id.status, id.headers.get('allow')]).toEqual([405, 'DELETE, GET, HEAD, PATCH']);
    expect((await ask('DELETE', '/api/v1/bots/somebody')).status).toBe(404);
    expect((await ask('PUT', '/api/v1/bots/somebody')).status).toBe(404);
  });
});
