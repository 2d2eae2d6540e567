import type { ToyApp } from '../testing/toy-app';
import { startToyApp } from '../testing/toy-app';

/** The address of the client, as the handler receives it. */
async function seenBy(toy: ToyApp, headers: Record<string, string>) {
  const { json } = await toy.ask('GET', '/api/v1/server_settings', { as: null, headers });
  const { address, host, protocol } = json;
  return { address, host, protocol };
}

const DIRECT = '127.0.0.1';
const FORWARDED = {
  'x-forwarded-for': '203.0.113.9, 198.51.100.7',
  'x-forwarded-host': 'chat.example.com',
  'x-forwarded-proto': 'https',
};

describe('the headers of proxies', () => {
  let toy: ToyApp | undefined;
  const start = async (trustedProxies?: number) =>
    (toy = await startToyApp({ rateLimits: true }, trustedProxies === undefined ? {} : { trustedProxies }));
  afterEach(() => toy?.close());

  it.each([undefined, 0])('are ignored when %s are trusted: anybody can send such headers', async (trusted) => {
    const app = await start(trusted);
    expect(await seenBy(app, FORWARDED)).toEqual({
      address: DIRECT,
      host: `127.0.0.1:${app.port}`,
      protocol: 'http',
    });
  });

  it.each([
    ['the last address', 1, '198.51.100.7'],
    ['the address before the last', 2, '203.0.113.9'],
    ['the first address, when fewer proxies wrote one than are trusted,', 3, '203.0.113.9'],
  ])('give %s with %i of them', async (_, trusted, address) => {
    const app = await start(trusted);
    expect(await seenBy(app, FORWARDED)).toEqual({ address, host: 'chat.example.com', protocol: 'https' });
    expect(await seenBy(app, {})).toMatchObject({ address: DIRECT, protocol: 'http' });
  });

  it('cannot be forged by a client in front of the trusted ones', async () => {
    const app = await start(1);
    const forged = { 'x-forwarded-for': '192.0.2.1, 203.0.113.50' };
    expect(await seenBy(app, forged)).toMatchObject({ address: '203.0.113.50' });
  });

  it('decide whose quota is used', async () => {
    const left = async (app: ToyApp, client: string) => {
      const headers = { 'x-forwarded-for': client };
      const answer = await app.ask('GET', '/api/v1/server_settings', { as: null, headers });
      return Number(answer.headers.get('x-ratelimit-remaining'));
    };
    const trusting = await start(1);
    expect(await left(trusting, '203.0.113.1')).toBe(99);
    expect(await left(trusting, '203.0.113.2')).toBe(99);
    expect(await left(trusting, '203.0.113.1')).toBe(98);
    await trusting.close();
    const careful = await start(0);
    expect(await left(careful, '203.0.113.1')).toBe(99);
    expect(await left(careful, '203.0.113.2')).toBe(98);
  });
});
