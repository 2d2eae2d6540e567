import { t } from '@annals/kernel/domain';
import type { EndpointDeclaration } from './endpoint-declaration';
import { openApi } from './reference';
import type { ToyApp } from '../../testing/toy-app';
import { startToyApp } from '../../testing/toy-app';

let toy: ToyApp;
beforeAll(async () => (toy = await startToyApp()));
afterAll(() => toy.close());

describe('the reference', () => {
  it('contains the declaration of every endpoint', async () => {
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
              announce: { anyOf: [{ type: 'boolean' }, { type: 'null' }], default: false },
              policy: { enum: ['inherit', 'never'], default: 'inherit' },
              ids: { anyOf: [{ type: 'array', items: { type: 'integer' }, maxItems: 5 }, { type: 'null' }] },
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
      content: {
        'application/json': { schema: { anyOf: [{ type: 'boolean' }, { type: 'null' }], default: false } },
      },
    });
    expect(read?.responses).toMatchObject({
      200: { content: { 'application/json': { schema: { required: ['result', 'msg', 'params'] } } } },
    });
  });

  it.each(['/api/docs', '/api/docs/'])('can be browsed at %s without any other server', async (path) => {
    const address = `http://127.0.0.1:${toy.port}${path}`;
    const page = await (await fetch(address)).text();
    const sources = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source = '']) => source);
    expect(sources.length).toBeGreaterThan(2);
    for (const source of sources) {
      expect(source).toMatch(/^\/api\/docs\//);
      const asset = await fetch(new URL(source, address));
      expect([source, asset.status]).toEqual([source, 200]);
      const [, document] = /url: '([^']+)'/.exec(await asset.text()) ?? [];
      if (source.endsWith('start.js')) expect(document).toBe('/api/docs.json');
    }
  });
});

describe('shapes with a name', () => {
  const endpoint = (path: string, returns: EndpointDeclaration['returns']): EndpointDeclaration => ({
    method: 'GET',
    path: `/api/v1/${path}`,
    audience: 'anyone',
    returns,
    params: undefined,
    ids: [],
    wildcard: undefined,
  });
  const thing = t.Object({ id: t.Integer(), type: t.Object({ name: t.String() }) }, { $id: 'Thing' });

  it('are described once, closed, and referred to', () => {
    const document = openApi([
      endpoint('thing', t.Object({ thing })),
      endpoint('things', t.Object({ things: t.Array(thing) })),
    ]);
    expect(document.components?.schemas?.['Thing']).toEqual({
      type: 'object',
      additionalProperties: false,
      required: ['id', 'type'],
      properties: {
        id: { type: 'integer' },
        type: {
          type: 'object',
          additionalProperties: false,
          required: ['name'],
          properties: { name: { type: 'string' } },
        },
      },
    });
    const text = JSON.stringify(document.paths);
    expect(text).not.toContain('"name":{"type":"string"}');
    expect(text).toContain('"thing":{"$ref":"#/components/schemas/Thing"}');
    expect(text).toContain('"items":{"$ref":"#/components/schemas/Thing"}');
  });

  it('may not share a name', () => {
    const other = t.Object({ id: t.String() }, { $id: 'Thing' });
    const both = [endpoint('thing', t.Object({ thing })), endpoint('other', t.Object({ other }))];
    expect(() => openApi(both)).toThrow('Two shapes are called Thing');
  });
});
