import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { longWork } from '@annals/kernel';
import type { Ask, ToyApp } from '../../testing/toy-app';
import { startToyApp } from '../../testing/toy-app';

let toy: ToyApp;
beforeAll(async () => (toy = await startToyApp()));
afterAll(() => toy.close());

const TEN_MB = 'x'.repeat(10_000_000);
const THING = '/api/v1/things/5';
const form = (text: string): Ask => ({ form: text });
const typed = (type: string, body: string): Ask => ({ body, headers: { 'content-type': type } });
const parts = (body: string) => typed('multipart/form-data; boundary=edge', body);
const part = (name: string, text: string) =>
  `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
const deep = (levels: number) => encodeURIComponent('['.repeat(levels) + ']'.repeat(levels));

describe('malformed requests are refused in the envelope', () => {
  it.each<[string, number, string, string, string, Ask?]>([
    ['an unknown route', 404, 'BAD_REQUEST', 'GET', '/api/v1/nowhere'],
    ['an unknown route outside the API', 404, 'BAD_REQUEST', 'GET', '/nowhere'],
    ['an id of letters', 404, 'BAD_REQUEST', 'GET', '/api/v1/things/abc?name=x'],
    ['a negative id', 404, 'BAD_REQUEST', 'GET', '/api/v1/things/-1?name=x'],
    ['a fractional id', 404, 'BAD_REQUEST', 'GET', '/api/v1/things/1.5?name=x'],
    ['an id with a NUL', 404, 'BAD_REQUEST', 'GET', '/api/v1/things/1%00?name=x'],
    ['an id beyond 53 bits', 400, 'BAD_REQUEST', 'GET', '/api/v1/things/99999999999999999999?name=x'],
    ['an id of 2,048 digits', 400, 'BAD_REQUEST', 'GET', `/api/v1/things/${'9'.repeat(2048)}?name=x`],
    ['a wrong method', 405, 'BAD_REQUEST', 'PUT', '/api/v1/empty'],
    ['a wrong method on an id of letters', 404, 'BAD_REQUEST', 'PUT', '/api/v1/things/abc'],
    ['a bad escape in the path', 400, 'BAD_REQUEST', 'GET', '/api/v1/views/%zz'],
    ['a path that is no UTF-8', 400, 'BAD_REQUEST', 'GET', '/api/v1/views/%ff'],
    ['a NUL in the path', 400, 'BAD_REQUEST', 'GET', '/api/v1/views/a%00b'],
    ['a part of the path that is too long', 414, 'BAD_REQUEST', 'GET', `/api/v1/things/${'9'.repeat(2049)}`],
    ['a missing parameter', 400, 'REQUEST_VARIABLE_MISSING', 'POST', THING],
    ['two names of one parameter', 400, 'REQUEST_CONFUSING_VAR', 'POST', THING, form('name=x&topic=a&subject=b')],
    ['a boolean that is none', 400, 'BAD_REQUEST', 'POST', THING, form('name=x&announce=True')],
    ['an integer that is none', 400, 'BAD_REQUEST', 'POST', THING, form('name=x&stream_id=1e400')],
    ['an empty integer', 400, 'BAD_REQUEST', 'POST', THING, form('name=x&stream_id=')],
    ['malformed JSON', 400, 'BAD_REQUEST', 'POST', THING, form('name=x&data=[{')],
    ['JSON of another shape', 400, 'BAD_REQUEST', 'POST', THING, form('name=x&data=[{"id":"x"}]')],
    ['JSON of 33 levels', 400, 'BAD_REQUEST', 'POST', THING, form(`name=x&anything=${deep(33)}`)],
    ['JSON of 500,000 levels', 400, 'BAD_REQUEST', 'POST', THING, form(`name=x&anything=${'['.repeat(500_000)}`)],
    ['a list that is too long', 400, 'BAD_REQUEST', 'POST', THING, form('name=x&ids=[1,2,3,4,5,6]')],
    ['a NUL', 400, 'BAD_REQUEST', 'POST', THING, form('name=x&content=a%00b')],
    ['a NUL by a JSON escape', 400, 'BAD_REQUEST', 'POST', THING, form('name=x&anything="%5Cu0000"')],
    ['half a surrogate pair', 400, 'BAD_REQUEST', 'POST', THING, form('name=x&content=%ED%A0%80')],
    ['half a pair by a JSON escape', 400, 'BAD_REQUEST', 'POST', THING, form('name=x&anything=["%5Cud83d"]')],
    ['half a pair in the query', 400, 'BAD_REQUEST', 'GET', `${THING}?name=%ED%BF%BF`],
    ['a control character in a name', 400, 'BAD_REQUEST', 'POST', THING, form('name=a%07b')],
    ['a non-character in a name', 400, 'BAD_REQUEST', 'POST', THING, form('name=a%EF%BF%BF')],
    ['a name that is too long', 400, 'BAD_REQUEST', 'POST', THING, form('name=12345678901')],
    ['a blank name', 400, 'BAD_REQUEST', 'POST', THING, form('name=+%09+')],
    ['a word that is none', 400, 'BAD_REQUEST', 'POST', THING, form('name=x&policy=constructor')],
    ['a form of a million fields', 400, 'BAD_REQUEST', 'POST', THING, form('&'.repeat(1_000_000))],
    ['a form of 10 MB', 413, 'BAD_REQUEST', 'POST', THING, form(`name=${TEN_MB}`)],
    ['JSON of 10 MB', 413, 'BAD_REQUEST', 'POST', THING, typed('application/json', TEN_MB)],
    ['a body of 10 MB of no type', 413, 'BAD_REQUEST', 'PATCH', '/api/v1/empty', typed('text/plain', TEN_MB)],
    ['multipart of 10 MB', 413, 'BAD_REQUEST', 'POST', THING, parts(`${part('name', TEN_MB)}--edge--`)],
    ['a body of 10 MB of a type that is none', 413, 'BAD_REQUEST', 'POST', THING, typed('a', TEN_MB)],
    ['multipart without a boundary', 400, 'BAD_REQUEST', 'POST', THING, typed('multipart/form-data', 'x')],
    ['multipart with another boundary', 400, 'BAD_REQUEST', 'POST', THING, parts('--other\r\n')],
    ['multipart that ends early', 400, 'BAD_REQUEST', 'POST', THING, parts(part('name', 'x'))],
    ['multipart with a name of the language', 400, 'BAD_REQUEST', 'POST', THING, parts(part('__proto__', 'x'))],
    [
      'multipart with malformed JSON',
      400,
      'BAD_REQUEST',
      'POST',
      THING,
      parts(
        `${part('name', 'x')}--edge\r\nContent-Disposition: form-data; name="data"\r\nContent-Type: application/json\r\n\r\n{\r\n--edge--`,
      ),
    ],
    ['multipart with 2,000 parts', 400, 'BAD_REQUEST', 'POST', THING, parts(`${part('n', 'x').repeat(2000)}--edge--`)],
  ])('%s: %i %s', async (_, status, code, method, path, ask = {}) => {
    const answer = await toy.ask(method, path, ask);
    expect(answer.json).toMatchObject({ result: 'error', code, msg: expect.stringMatching(/./) as string });
    expect(answer.status).toBe(status);
    expect(answer.json).not.toHaveProperty('ignored_parameters_unsupported');
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  });

  it('large forms and their parameters are decoded in turn with other long work, small ones at once', async () => {
    const run = jest.spyOn(longWork, 'run');
    const ask = (length: number) =>
      toy.ask('POST', THING, form(`name=x&ids=[1,2,3,4,5,6]&content=${'x'.repeat(length)}`));
    expect((await ask(1_000)).status).toBe(400);
    expect(run).not.toHaveBeenCalled();
    expect((await ask(100_000)).status).toBe(400);
    expect(run).toHaveBeenCalledTimes(2);
    run.mockRestore();
  });

  it('multipart with 20,000 parts is not read to its end', async () => {
    const write = jest.spyOn(Writable.prototype, 'write');
    const body = `${part('n', 'x').repeat(20_000)}--edge--`;
    const answer = await toy.ask('POST', THING, parts(body));
    const isParser = (stream: Writable) => stream.constructor.name === 'Busboy';
    const read = write.mock.calls.filter((_, call) => isParser(write.mock.contexts[call] as Writable));
    write.mockRestore();
    expect(answer.status).toBe(400);
    const bytes = read.reduce((sum, [chunk]) => sum + (chunk as Buffer).length, 0);
    expect(bytes).toBeGreaterThan(0);
    // A thousand parts have 55 kB. The rest of the received piece is read with them.
    expect(bytes).toBeLessThanOrEqual(2 * 65_536);
  });

  it('the answer to a wrong method lists the right ones', async () => {
    const { headers, json } = await toy.ask('PUT', `${THING}/?x=1`);
    expect(json).toEqual({
      result: 'error',
      msg: 'Method Not Allowed',
      code: 'BAD_REQUEST',
      allowed_methods: ['GET', 'HEAD', 'POST'],
    });
    expect(headers.get('allow')).toBe('GET, HEAD, POST');
  });

  it('the answer contains the extra fields of a code', async () => {
    expect((await toy.ask('POST', THING)).json).toMatchObject({ var_name: 'name' });
    expect((await toy.ask('POST', THING, form('name=x&topic=a&subject=b'))).json).toMatchObject({
      var_name1: 'topic',
      var_name2: 'subject',
    });
  });
});

describe('bytes that no HTTP library would send', () => {
  const head = (line: string, ...lines: string[]) =>
    [line, 'Host: x', 'Connection: close', `Authorization: ${toy.basic('member')}`, ...lines, '', ''].join('\r\n');
  const FORM = 'Content-Type: application/x-www-form-urlencoded';

  it.each<[string, number, () => string | Buffer]>([
    ['no HTTP', 400, () => 'HELLO\r\n\r\n'],
    ['an unknown verb', 400, () => head('FETCH /api/v1/empty HTTP/1.1')],
    ['a verb of WebDAV', 405, () => head('PROPFIND /api/v1/empty HTTP/1.1')],
    ['a request target without a slash', 404, () => head('GET *api HTTP/1.1')],
    ['the server as a target', 404, () => head('OPTIONS * HTTP/1.1')],
    ['a length that is none', 400, () => head('POST /api/v1/empty HTTP/1.1', FORM, 'Content-Length: x')],
    [
      'a chunk that is none',
      400,
      () => `${head('POST /api/v1/empty HTTP/1.1', FORM, 'Transfer-Encoding: chunked')}z\r\n`,
    ],
    ['headers without end', 431, () => head('GET /api/v1/empty HTTP/1.1', `X: ${'x'.repeat(70_000)}`)],
    ['a URL that is too long', 431, () => head(`GET /api/v1/things/5?name=${'x'.repeat(70_000)} HTTP/1.1`)],
    ['raw bytes in the query', 400, () => Buffer.from(head('GET /api/v1/things/5?name=\xff HTTP/1.1'), 'latin1')],
    [
      'a form that is no UTF-8',
      400,
      () =>
        Buffer.concat([
          Buffer.from(head(`POST ${THING} HTTP/1.1`, FORM, 'Content-Length: 6')),
          Buffer.from('name=\xff', 'latin1'),
        ]),
    ],
    [
      'a part of multipart that is no UTF-8',
      400,
      () => {
        const body = Buffer.from(`${part('name', 'a\xff')}--edge--`, 'latin1');
        const type = 'Content-Type: multipart/form-data; boundary=edge';
        return Buffer.concat([
          Buffer.from(head(`POST ${THING} HTTP/1.1`, type, `Content-Length: ${body.length}`)),
          body,
        ]);
      },
    ],
    [
      'chunks without end',
      413,
      () =>
        `${head(`POST ${THING} HTTP/1.1`, FORM, 'Transfer-Encoding: chunked')}${`10000\r\n${'x'.repeat(65_536)}\r\n`.repeat(40)}0\r\n\r\n`,
    ],
    [
      'multipart in chunks without end',
      413,
      () =>
        `${head(`POST ${THING} HTTP/1.1`, 'Content-Type: multipart/form-data; boundary=edge', 'Transfer-Encoding: chunked')}` +
        `${`10000\r\n${part('name', 'x').padEnd(65_536, 'x')}\r\n`.repeat(40)}0\r\n\r\n`,
    ],
  ])('%s: %i', async (_, status, bytes) => {
    const answer = await toy.raw(bytes());
    const [top = '', body = ''] = answer.split('\r\n\r\n');
    expect(top).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(body)).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
  });

  it('a URL of 60,000 characters is read like any other, because clients send long narrows in them', async () => {
    const ids = encodeURIComponent(JSON.stringify(Array.from({ length: 7_500 }, (_, n) => 10_000 + n)));
    const line = `GET /api/v1/things/5?name=x&anything=${ids} HTTP/1.1`;
    expect(line.length).toBeGreaterThan(60_000);
    const answer = await toy.raw(head(line));
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(answer).toContain('17499]');
  });

  it.each([
    ['no HTTP', 'HELLO\r\n\r\n'],
    ['a header that never ends', `GET /api/v1/empty HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(70_000)}`],
  ])('%s ends the connection, also if the client keeps its side open', async (_, bytes) => {
    const server = toy.app.getHttpServer() as Server;
    const connected = once(server, 'connection') as Promise<[Socket]>;
    const stays = connect({ port: toy.port, host: '127.0.0.1', allowHalfOpen: true }, () => stays.write(bytes));
    stays.resume();
    const [connection] = await connected;
    await once(connection, 'close');
    expect(stays.writable).toBe(true);
    stays.destroy();
  });

  it('a request without a host is answered', async () => {
    const answer = await toy.raw('GET /api/v1/server_settings HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe('an error of the server', () => {
  it.each([
    [0, 500, 'INTERNAL_SERVER_ERROR'],
    [1, 503, 'SERVICE_UNAVAILABLE'],
    [2, 503, 'SERVICE_UNAVAILABLE'],
    [3, 503, 'SERVICE_UNAVAILABLE'],
    [4, 409, 'CHANNEL_ALREADY_EXISTS'],
    [5, 404, 'BAD_REQUEST'],
    [6, 500, 'INTERNAL_SERVER_ERROR'],
  ])('failure %i is %i %s without details', async (which, status, code) => {
    const answer = await toy.ask('GET', `/api/v1/broken/${which}`);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    expect(JSON.stringify(answer.json)).not.toContain('secret');
    expect(answer.headers.get('retry-after')).toBe(status === 503 ? '1' : null);
  });

  it('is logged with the request it happened in', async () => {
    const { headers } = await toy.ask('GET', '/api/v1/broken/6');
    const line = toy.logged.find(
      ({ msg, request }) => msg === 'request failed' && request === headers.get('x-request-id'),
    );
    expect(line).toMatchObject({ level: 50, route: '/api/v1/broken/:thing_id', err: { code: '23505' } });
  });

  it('a database that is unavailable during a login is 503', async () => {
    const answer = await toy.raw(
      `GET ${THING} HTTP/1.1\r\nHost: down.example.com\r\nConnection: close\r\nAuthorization: ${toy.basic('member')}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 503 /);
  });
});
