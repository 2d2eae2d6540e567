import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { BouncerFailure, FailureKind } from './bouncer';
import { Bouncer } from './bouncer';

interface Said {
  readonly status?: number;
  readonly body?: string;
  readonly location?: string;
}

let server: Server;
let url: string;
/** The answer of the service. Null for none. */
let said: Said | null;
let asked: string[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''} ${request.headers.authorization ?? ''}`);
    if (!said) return;
    response.writeHead(said.status ?? 200, said.location === undefined ? {} : { location: said.location });
    response.end(said.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => void (asked = []));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const bouncer = () => new Bouncer({ url, orgId: 'org', orgKey: 'key', timeoutMs: 100 });
const notify = () => bouncer().notify('uuid', []);
const register = () =>
  bouncer().register({ realmUuid: 'uuid', tokenId: 't', bouncerPublicKey: 'k', encryptedRegistration: 'r' });
const success = (fields: object): Said => ({ body: JSON.stringify({ result: 'success', msg: '', ...fields }) });
const error = (status: number, code?: string): Said => ({
  status,
  body: JSON.stringify({ result: 'error', msg: 'No.', code }),
});
const troubleOf = (asking: Promise<unknown>) =>
  asking.then(
    () => null,
    ({ trouble, code, isTransient: mayPass }: BouncerFailure) => [trouble, code, mayPass],
  );

describe('the push service', () => {
  it.each<[what: string, answer: Said | null, trouble: FailureKind, code: string, mayPass: boolean]>([
    ['does not answer in time', null, 'away', '', true],
    ['answers what is no JSON', { body: '<h1>hello</h1>' }, 'away', '', true],
    ['answers a list', { body: '[]' }, 'away', '', true],
    ['answers nothing', { body: '' }, 'away', '', true],
    ['answers without end', { body: `{"a":"${'a'.repeat(1_100_000)}"}` }, 'away', '', true],
    ['sends elsewhere', { status: 302, location: '/elsewhere' }, 'away', '', true],
    ['is broken', { status: 500, body: 'oh' }, 'broken', '', true],
    ['is behind a proxy that does not reach it', { status: 502, body: '<html>' }, 'broken', '', true],
    ['says so itself', error(503, 'SERVICE_UNAVAILABLE'), 'broken', 'SERVICE_UNAVAILABLE', true],
    ['does not know the key', error(401, 'UNAUTHORIZED'), 'administrator', 'UNAUTHORIZED', true],
    ['forbids', { status: 403, body: 'go away' }, 'administrator', '', true],
    ['does not know the server', error(400, 'INVALID_ZULIP_SERVER'), 'administrator', 'INVALID_ZULIP_SERVER', true],
    [
      'ended the plan',
      error(400, 'PUSH_NOTIFICATIONS_DISALLOWED'),
      'administrator',
      'PUSH_NOTIFICATIONS_DISALLOWED',
      true,
    ],
    ['has had too much', error(429), 'refused', 'RATE_LIMIT_HIT', true],
    ['refuses', error(400, 'REQUEST_EXPIRED'), 'refused', 'REQUEST_EXPIRED', false],
    ['refuses and does not say why', error(400), 'refused', 'BAD_REQUEST', false],
    ['refuses with what is no code', error(400, '<b>'), 'refused', 'BAD_REQUEST', false],
  ])('%s', async (_, answer, ...trouble) => {
    said = answer;
    expect(await troubleOf(notify())).toEqual(trouble);
  });

  it('receives the credentials of this server, and no other host does', async () => {
    said = { status: 302, location: `${url}/elsewhere` };
    await troubleOf(notify());
    expect(asked).toEqual([`POST /api/v1/remotes/push/e2ee/notify Basic ${btoa('org:key')}`]);
  });

  it('lists expired devices; other fields are ignored', async () => {
    const answers: [fields: object, expired: number[]][] = [
      [{}, []],
      [{ delete_device_ids: null, news: true }, []],
      [{ delete_device_ids: [4, '5', 6.5, 7] }, [4, 7]],
    ];
    for (const [fields, expired] of answers) {
      said = success(fields);
      expect([...(await notify())]).toEqual(expired);
    }
  });

  it('returns an id for a device, or the answer is invalid', async () => {
    said = success({ device_id: 12 });
    expect(await register()).toBe(12);
    for (const fields of [{}, { device_id: '12' }, { device_id: null }]) {
      said = success(fields);
      expect(await troubleOf(register())).toEqual(['away', '', true]);
    }
  });

  it('is not available if not configured', async () => {
    expect(await troubleOf(new Bouncer(null).notify('uuid', []))).toEqual(['administrator', '', true]);
  });

  it('is not revealed by error messages', async () => {
    said = error(400, 'SOMETHING');
    await expect(notify()).rejects.toThrow(/^the push service: refused \(SOMETHING\)$/);
  });
});
