import type { ToyApp } from '../testing/toy-app';
import { startToyApp } from '../testing/toy-app';

let toy: ToyApp;
beforeAll(async () => (toy = await startToyApp()));
afterAll(() => toy.close());

describe('the reference', () => {
  it('says of every endpoint what is declared about it', async () => {
    const { json } = await toy.ask('GET', '/api/docs.json', { as: null });
    const paths = json.paths as Record<string, Record<string, Record<string, unknown>>>;
    expect(json.openapi).toBe('3.1.0');
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['/api/v1/things/{thing_id}', '/api/v1/views/{fragment}']),
    );
    expect(paths['/api/v1/server_settings']?.get?.security).toEqual([]);
    const change = paths['/api/v1/things/{thing_id}']?.post;
    expect(change?.description).toBe('Audience: anyone. Section: 4.1.');
    expect(change?.parameters).toEqual([
      { name: 'thing_id', in: 'path', required: true, schema: { type: 'integer', minimum: 0 } },
    ]);
    expect(change?.requestBody).toMatchObject({
      required: true,
      content: {
        'application/x-www-form-urlencoded': {
          schema: {
            required: ['name'],
            properties: {
              name: { type: 'string', minLength: 1, maxLength: 10 },
              topic: { type: 'string', description: 'Also: subject.' },
              announce: { type: 'boolean', default: false },
              policy: { enum: ['inherit', 'never'], default: 'inherit' },
              ids: { type: 'array', items: { type: 'integer' }, maxItems: 5 },
              anything: { anyOf: [{}, { type: 'null' }] },
            },
          },
          encoding: { announce: { contentType: 'application/json' }, ids: { contentType: 'application/json' } },
        },
      },
    });
  });

  it('shows the query and the answer of an endpoint that reads', async () => {
    const { json } = await toy.ask('GET', '/api/docs.json', { as: null });
    const paths = json.paths as Record<string, Record<string, Record<string, unknown>>>;
    const read = paths['/api/v1/things/{thing_id}']?.get;
    expect(read?.parameters).toContainEqual({
      name: 'announce',
      in: 'query',
      required: false,
      content: { 'application/json': { schema: { type: 'boolean', default: false } } },
    });
    expect(read?.responses).toMatchObject({
      200: { content: { 'application/json': { schema: { required: ['result', 'msg', 'params'] } } } },
    });
  });

  it('can be browsed without any other server', async () => {
    const page = await (await fetch(`http://127.0.0.1:${toy.port}/api/docs`)).text();
    const sources = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source = '']) => source);
    expect(sources.length).toBeGreaterThan(2);
    for (const source of sources) {
      expect(source).toMatch(/^\.\//);
      const asset = await fetch(new URL(source, `http://127.0.0.1:${toy.port}/api/docs`));
      expect([source, asset.status]).toEqual([source, 200]);
      await asset.arrayBuffer();
    }
  });
});
