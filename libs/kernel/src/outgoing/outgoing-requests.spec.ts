import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createSocketServer } from 'node:net';
import { AddressGuard } from './address-guard';
import type { OutgoingLimits, OutgoingRefused } from './outgoing-requests';
import { OutgoingRequests } from './outgoing-requests';

const LIMITS: OutgoingLimits = { maxBytes: 1_000, ms: 20_000, redirects: 3 };
const LOOPBACK = '127.0.0.1';

let server: Server;
let port = 0;
let asked: string[] = [];
let respond: RequestListener;
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.headers.host} ${request.url}`);
    respond(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
  respond = (_, response) => response.end('hello');
});

/** Names of this spec, and how often each was resolved. */
function requests(names: Readonly<Record<string, readonly string[]>>, allowed = LOOPBACK) {
  const resolved: string[] = [];
  const outgoing = new OutgoingRequests(new AddressGuard(allowed), (name) => {
    resolved.push(name);
    const addresses = names[name];
    if (!addresses) return Promise.reject(new Error(`${name} is not known`));
    return Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
  });
  return { outgoing, resolved };
}
const NAMES = { 'good.example': [LOOPBACK] };
const at = (path = '/', host = 'good.example') => `http://${host}:${port}${path}`;
const got = async (url: string, limits: Partial<OutgoingLimits> = {}, { outgoing } = requests(NAMES)) => {
  try {
    const { status, body, isCut } = await outgoing.send(url, {}, { ...LIMITS, ...limits });
    return [status, body.toString(), isCut];
  } catch (error) {
    return (error as OutgoingRefused).fault;
  }
};

describe('a request on behalf of a user', () => {
  it('is answered, with the name that was asked for', async () => {
    expect(await got(at('/page?x=1'))).toEqual([200, 'hello', false]);
    expect(asked).toEqual([`good.example:${port} /page?x=1`]);
  });

  it('may have a body and headers, and asks for no compression', async () => {
    respond = (request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => response.end(`${request.method} ${request.headers['accept-encoding']} ${body}`));
    };
    const { outgoing } = requests(NAMES);
    const answer = await outgoing.send(at(), { method: 'POST', body: 'x=1', headers: { 'x-a': 'b' } }, LIMITS);
    expect(answer.body.toString()).toBe('POST identity x=1');
  });

  it.each([
    ['ftp://good.example/', 'url'],
    ['file:///etc/passwd', 'url'],
    ['javascript:alert(1)', 'url'],
    ['http://user:secret@good.example/', 'url'],
    ['not a url', 'url'],
    ['http://unknown.example/', 'unreachable'],
  ])('to %s is refused: %s', async (url, fault) => expect(await got(url)).toBe(fault));
});

describe('an address that is not public', () => {
  const nothingAllowed = (names: Readonly<Record<string, readonly string[]>> = {}) => requests(names, '');

  it.each([
    '127.0.0.1',
    'localhost',
    '0.0.0.0',
    '0',
    '0x7f.1',
    '2130706433',
    '017700000001',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '169.254.169.254',
    '10.0.0.1',
    '[fd00::1]',
  ])('is not reached as %s', async (host) => {
    const names = { localhost: [LOOPBACK, '::1'] };
    expect(await got(at('/', host), {}, nothingAllowed(names))).toBe('address');
    expect(asked).toEqual([]);
  });

  it('is not reached through a name, even if the name has public addresses too', async () => {
    const names = { 'evil.example': ['93.184.216.34', LOOPBACK], 'mapped.example': ['::ffff:127.0.0.1'] };
    for (const host of Object.keys(names)) expect(await got(at('/', host), {}, nothingAllowed(names))).toBe('address');
    expect(asked).toEqual([]);
  });

  it('is not reached through a name that means another address the second time', async () => {
    const answers = [LOOPBACK, '169.254.169.254', LOOPBACK];
    const outgoing = new OutgoingRequests(new AddressGuard(LOOPBACK), () =>
      Promise.resolve([{ address: answers.shift() ?? '', family: 4 }]),
    );
    const ask = () => got(at('/', 'rebind.example'), {}, { outgoing, resolved: [] });
    // Between the check and the connection nobody asks for the address again.
    expect(await ask()).toEqual([200, 'hello', false]);
    expect(answers).toHaveLength(2);
    expect(await ask()).toBe('address');
    expect(asked).toHaveLength(1);
  });

  it('is not reached through a redirect', async () => {
    for (const location of [
      'http://169.254.169.254/latest/meta-data/',
      'http://[::1]/',
      'file:///etc/passwd',
      '//10.0.0.1/',
      'http://user:x@good.example/',
    ]) {
      respond = (_, response) => response.writeHead(302, { location }).end();
      expect(['address', 'url']).toContain(await got(at()));
    }
    expect(new Set(asked)).toEqual(new Set([`good.example:${port} /`]));
  });
});

describe('a request that must be secure', () => {
  const names = { 'good.example': [LOOPBACK], 'public.example': ['93.184.216.34'] };
  const secure = { isSecure: true };

  it('goes without TLS to what the operator has named, and to nothing else', async () => {
    expect(await got(at(), secure, requests(names))).toEqual([200, 'hello', false]);
    expect(await got(at('/', 'public.example'), secure, requests(names))).toBe('insecure');
  });

  it('is refused before it is sent, as a check says', async () => {
    const { outgoing } = requests(names);
    const check = (url: string) => outgoing.check(url, { ms: 20_000, ...secure });
    await expect(check(at())).resolves.toBeUndefined();
    await expect(check('https://public.example/')).resolves.toBeUndefined();
    for (const [url, fault] of [
      ['http://public.example/', 'insecure'],
      ['https://10.1.2.3/', 'address'],
      ['https://unknown.example/', 'unreachable'],
      ['gopher://good.example/', 'url'],
    ] as const)
      await expect(check(url)).rejects.toMatchObject({ fault });
    expect(asked).toEqual([]);
  });
});

describe('redirects', () => {
  it('are followed under the same check, as often as they may be', async () => {
    respond = (request, response) => {
      const n = Number(request.url?.slice(1));
      if (n > 0) response.writeHead(301, { location: `/${n - 1}` }).end();
      else response.end('there');
    };
    expect(await got(at('/3'))).toEqual([200, 'there', false]);
    expect(await got(at('/4'))).toBe('redirects');
    expect(await got(at('/1'), { redirects: 0 })).toEqual([301, '', false]);
  });

  it('without a target are answers', async () => {
    respond = (_, response) => response.writeHead(302).end('where?');
    expect(await got(at())).toEqual([302, 'where?', false]);
  });
});

describe('a server that gives too much, or too slowly', () => {
  it('is read up to the limit', async () => {
    respond = (_, response) => {
      const more = () => {
        while (response.write('x'.repeat(10_000)));
      };
      response.on('drain', more);
      response.on('error', () => undefined);
      more();
    };
    expect(await got(at())).toEqual([200, 'x'.repeat(1_000), true]);
  });

  it.each<[string, RequestListener]>([
    ['never answers', () => undefined],
    ['never ends its answer', (_, response) => void response.write('a')],
    ['sends headers only', (_, response) => void response.writeHead(200).flushHeaders()],
  ])('that %s has no answer', async (_, listener) => {
    respond = listener;
    expect(await got(at(), { ms: 100 })).toBe('slow');
  });

  it('whose name is never resolved has no answer', async () => {
    const never = new OutgoingRequests(new AddressGuard(), () => new Promise(() => undefined));
    expect(await got(at(), { ms: 50 }, { outgoing: never, resolved: [] })).toBe('slow');
  });

  it('with endless headers has no answer', async () => {
    respond = (_, response) => response.writeHead(200, { 'x-long': 'x'.repeat(40_000) }).end();
    expect(await got(at())).toBe('unreachable');
  });

  it.each([
    ['speaks something else', '220 mail.example ESMTP\r\n'],
    ['switches to another protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
  ])('that %s has no answer', async (_, text) => {
    const other = createSocketServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(text);
    });
    await new Promise<void>((resolve) => other.listen(0, LOOPBACK, resolve));
    const { port: otherPort } = other.address() as AddressInfo;
    expect(await got(`http://good.example:${otherPort}/`)).toBe('unreachable');
    other.close();
  });
});
