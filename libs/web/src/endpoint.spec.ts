import type { Ask, ToyApp } from '../testing/toy-app';
import { polls } from '../testing/polls';
import { startToyApp } from '../testing/toy-app';
import { Endpoint, Params } from './endpoint';
import { PathId } from './params/decorators';

let toy: ToyApp;
beforeAll(async () => (toy = await startToyApp()));
afterAll(() => toy.close());

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function multipart(fields: Record<string, string | Blob>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

/** A multipart body as other libraries write it. */
const handwritten = (...parts: string[]) => ({
  body: `${parts.map((part) => `--edge\r\n${part}\r\n`).join('')}--edge--\r\n`,
  headers: { 'content-type': 'multipart/form-data; boundary="edge"' },
});

describe('a success', () => {
  it('is 200 in the envelope, with the fields of the endpoint', async () => {
    const { status, headers, json } = await toy.ask('POST', '/api/v1/things/7', { form: { name: 'x' } });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(json).toEqual({
      result: 'success',
      msg: '',
      user_id: 3,
      client: 'node',
      params: { thing_id: 7, name: 'x', announce: false, policy: 'inherit' },
    });
  });

  it.each(['PATCH', 'DELETE', 'POST'])('of %s without a body or fields is the envelope alone', async (method) => {
    const { status, json } = await toy.ask(method, '/api/v1/empty');
    expect([status, json]).toEqual([200, { result: 'success', msg: '' }]);
  });

  it('lists the parameters that the endpoint does not have', async () => {
    const form = { name: 'x', nope: '1', dont_block: 'true', client: 'mine' };
    const { json } = await toy.ask('POST', '/api/v1/things/7?more=2', { form });
    expect((json.ignored_parameters_unsupported as string[]).sort()).toEqual(['dont_block', 'more', 'nope']);
    expect(json.client).toBe('mine');
    expect(await toy.ask('DELETE', '/api/v1/empty?a=1')).toMatchObject({
      json: { ignored_parameters_unsupported: ['a'] },
    });
  });
});

describe('parameters are read', () => {
  const given = async (method: string, path: string, ask: Ask = {}) => {
    const { status, json } = await toy.ask(method, path, ask);
    return [status, (json.params as Record<string, unknown> | undefined)?.name ?? json.ignored_parameters_unsupported];
  };

  it.each<[string, string, string, Ask]>([
    ['a form', 'POST', '/api/v1/things/1', { form: 'name=a+b' }],
    [
      'a form with a charset',
      'POST',
      '/api/v1/things/1',
      {
        body: 'name=a%20b',
        headers: { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' },
      },
    ],
    ['the query of a POST', 'POST', '/api/v1/things/1?name=a%20b', {}],
    ['the query of a GET', 'GET', '/api/v1/things/1?name=a+b', {}],
    ['a path with a slash at its end', 'GET', '/api/v1/things/1/?name=a+b', {}],
    ['multipart', 'POST', '/api/v1/things/1', { body: multipart({ name: 'a b' }) }],
    [
      'multipart with a file, which is dropped',
      'POST',
      '/api/v1/things/1',
      {
        body: multipart({ file: new Blob(['x'.repeat(100_000)]), name: 'a b' }),
      },
    ],
    [
      'multipart with parts that have headers of their own',
      'POST',
      '/api/v1/things/1',
      handwritten(
        'content-disposition: form-data; name="name"\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-transfer-encoding: binary\r\n\r\na b',
      ),
    ],
    [
      'multipart with a field that calls itself bytes',
      'POST',
      '/api/v1/things/1',
      handwritten('content-disposition: form-data; name="name"\r\ncontent-type: application/octet-stream\r\n\r\na b'),
    ],
    [
      'multipart with unquoted names and lengths',
      'POST',
      '/api/v1/things/1',
      handwritten('Content-Disposition: form-data; name=name\r\nContent-Length: 3\r\n\r\na b'),
    ],
    [
      'multipart with a part that calls itself JSON',
      'POST',
      '/api/v1/things/1',
      handwritten(
        'Content-Disposition: form-data; name="announce"\r\nContent-Type: application/json\r\n\r\ntrue',
        'Content-Disposition: form-data; name="name"\r\n\r\na b',
      ),
    ],
  ])('in %s', async (_, method, path, ask) => {
    expect(await given(method, path, ask)).toEqual([200, 'a b']);
  });

  it.each(['POST', 'PATCH', 'DELETE'])('in the form body of %s', async (method) => {
    expect(await given(method, '/api/v1/empty', { form: 'a=1&b=2' })).toEqual([200, ['a', 'b']]);
  });

  it('but not in a JSON body, which counts as none', async () => {
    const headers = { 'content-type': 'application/json' };
    expect(await given('POST', '/api/v1/things/1?name=q', { body: '{"name": "x"}', headers })).toEqual([200, 'q']);
    expect(await given('POST', '/api/v1/empty', { body: '{malformed', headers })).toEqual([200, undefined]);
  });

  it.each(['a', 'garbage;;;===', 'text', '/', 'a/b, c/d', ';', 'form/'])(
    'but not in a body of the type %s, which is none',
    async (type) => {
      const headers = { 'content-type': type };
      expect(await given('POST', '/api/v1/things/1?name=q', { body: 'name=x', headers })).toEqual([200, 'q']);
    },
  );

  it('in chunks, and in no body at all', async () => {
    const head = `POST /api/v1/empty HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${toy.basic('member')}\r\n`;
    const chunked = `${head}Transfer-Encoding: chunked\r\nContent-Type: ${FORM['content-type']}\r\n\r\n3\r\na=1\r\n0\r\n\r\n`;
    expect(await toy.raw(chunked)).toContain('"ignored_parameters_unsupported":["a"]');
    expect(await toy.raw(`${head}\r\n`)).toContain('{"result":"success","msg":""}');
  });

  it('in a path, also with slashes if the endpoint declares that', async () => {
    const ask = async (path: string) => (await toy.ask('GET', `/api/v1/views/${path}`)).json.fragment;
    expect(await ask('narrow/is/alerted')).toBe('narrow/is/alerted');
    expect(await ask('narrow%2Fis%2Falerted')).toBe('narrow/is/alerted');
    expect(await ask('caf%C3%A9%20%25')).toBe('café %');
  });
});

describe('files', () => {
  const upload = async (ask: Ask) => {
    const { status, json } = await toy.ask('POST', '/api/v1/files', ask);
    return [status, json.sizes ?? json.code];
  };
  const file = (bytes: number) => new File(['x'.repeat(bytes)], 'a.txt');

  it('are streamed to an endpoint that declares so, beyond the limit of other bodies', async () => {
    expect(await upload({ body: multipart({ file: file(2_500_000) }) })).toEqual([200, { 'a.txt': 2_500_000 }]);
  });

  it('arrive one at a time, and the names of plain fields are reported', async () => {
    const two = multipart({ a: file(1), b: file(2) });
    expect(await upload({ body: two })).toEqual([400, 'BAD_REQUEST']);
    const { json } = await toy.ask('POST', '/api/v1/files', { body: multipart({ a: 'x', file: file(1), b: 'y' }) });
    expect(json).toMatchObject({ sizes: { 'a.txt': 1 }, ignored_parameters_unsupported: ['a', 'b'] });
  });

  it('are refused when they are too large, missing or malformed', async () => {
    expect(await upload({ body: multipart({ file: file(4_000_000) }) })).toEqual([400, 'BAD_REQUEST']);
    expect(await upload({ form: 'a=b' })).toEqual([400, 'BAD_REQUEST']);
    const headers = { 'content-type': 'multipart/form-data; boundary=edge' };
    expect(await upload({ body: '--edge\r\n\r\n', headers })).toEqual([400, 'BAD_REQUEST']);
    expect(await upload({ body: 'x', headers: { 'content-type': 'multipart/form-data' } })).toEqual([
      400,
      'BAD_REQUEST',
    ]);
  });
});

describe('a file beside parameters', () => {
  const send = async (ask: Ask) => {
    const { status, json } = await toy.ask('PATCH', '/api/v1/pictured', ask);
    return [status, status === 200 ? [json.size, json.queue_id] : json.msg];
  };
  const file = (bytes: number) => new File(['x'.repeat(bytes)], 'a.png');

  it('may be present or not, before them or after', async () => {
    expect(await send({ body: multipart({ picture: file(7), queue_id: 'ä' }) })).toEqual([200, [7, 'ä']]);
    expect(await send({ body: multipart({ queue_id: 'ä', picture: file(2_500_000) }) })).toEqual([
      200,
      [2_500_000, 'ä'],
    ]);
    expect(await send({ body: multipart({ queue_id: 'x' }) })).toEqual([200, [null, 'x']]);
    expect(await send({ form: { queue_id: 'x' } })).toEqual([200, [null, 'x']]);
    expect(await send({ body: multipart({ queue_id: 'x', picture: new File([], 'a.png') }) })).toEqual([200, [0, 'x']]);
  });

  it('is refused when it is too large, malformed or one of two', async () => {
    expect(await send({ body: multipart({ queue_id: 'x', a: file(1), b: file(1) }) })).toEqual([
      400,
      'You may only upload one file at a time',
    ]);
    expect(await send({ body: multipart({ queue_id: 'x', a: file(3 * 1024 * 1024 + 1) }) })).toEqual([
      400,
      'Too large',
    ]);
    expect(await send({ body: multipart({ queue_id: 'x'.repeat(2_100_000), a: file(1) }) })).toEqual([
      400,
      'Too much beside the file',
    ]);
    const begun = '--edge\r\nContent-Disposition: form-data; name="queue_id"\r\n\r\n';
    const { headers } = handwritten();
    expect(await send({ headers, body: `${begun}x` })).toEqual([400, 'Malformed multipart body']);
    const latin = Buffer.from(`${begun}\xe4\r\n--edge--\r\n`, 'latin1');
    expect(await send({ headers, body: latin })).toEqual([400, 'The request body is not valid UTF-8']);
    expect(await send({ body: multipart({ picture: file(7) }) })).toEqual([400, "Missing 'queue_id' argument"]);
  });

  it('is not read for callers who are refused', async () => {
    const guest = { body: multipart({ queue_id: 'x', a: file(1) }), as: 'guest' };
    expect((await send(guest))[0]).toBe(400);
  });
});

describe('a request', () => {
  it('gets an id from the server, whatever id it has', async () => {
    const headers = { 'x-request-id': 'mine', 'request-id': 'mine' };
    const answers = await Promise.all(
      ['/api/v1/things/1?name=x', '/nowhere', '/api/v1/things/%zz'].map((path) => toy.ask('GET', path, { headers })),
    );
    const ids = answers.map((answer) => answer.headers.get('x-request-id'));
    for (const id of ids) expect(id).toMatch(UUID);
    expect(new Set(ids).size).toBe(3);
  });

  it('that waits notices that its client disconnected', async () => {
    const before = polls.left;
    const leaving = new AbortController();
    const poll = fetch(`http://127.0.0.1:${toy.port}/api/v1/events?queue_id=1`, {
      headers: { authorization: toy.basic('member') },
      signal: leaving.signal,
    });
    await polls.arrival();
    leaving.abort();
    await expect(poll).rejects.toThrow();
    await polls.departure();
    expect(polls.left).toBe(before + 1);
    expect(toy.logged).toContainEqual(expect.objectContaining({ route: '/api/v1/events', status: 499 }));
  });
});

describe('a declaration', () => {
  class Ids {
    @PathId() thing_id: number;
  }

  it.each(['things', 'things/:other_id', 'things/:thing_id/:more'])(
    'of %s that lacks a part of the path fails',
    (path) => {
      const declare = () => {
        class Careless {
          read(_: Ids): void {}
        }
        const prototype = Careless.prototype;
        Params(Ids)(prototype, 'read', 0);
        const descriptor = Object.getOwnPropertyDescriptor(prototype, 'read') ?? {};
        Endpoint('GET', path, { audience: 'anyone', returns: null })(prototype, 'read', descriptor);
      };
      expect(declare).toThrow(/the path and its parameter class disagree about/);
    },
  );
});
