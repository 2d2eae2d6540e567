import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { ReferenceBouncer } from '../../support/push/bouncer';
import type { Person } from '../../support/server/organization';
import type { PushServer } from '../../support/push/push';
import { newDevice, startWithPush } from '../../support/push/push';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const TOKENS = ['/users/me/android_gcm_reg_id', '/users/me/apns_device_token'] as const;
const DEVICE = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
};

describe('on a server without a push service', () => {
  let server: TestServer;
  let ann: Person;
  beforeAll(async () => (server = await startTestServer()));
  beforeEach(async () => (ann = await server.person()));
  afterAll(() => server.close());

  it('clients are devices of their own', async () => {
    const bob = await server.person();
    const devices: number[] = [];
    const events = await ann.receive(async () => {
      devices.push(await newDevice(ann), await newDevice(ann));
      granted(await ann.post('/remove_client_device', { device_id: devices[0] }));
    }, 'device');
    expect(events.map(({ id: _, ...event }) => event)).toEqual([
      { type: 'device', op: 'add', device_id: devices[0] },
      { type: 'device', op: 'add', device_id: devices[1] },
      { type: 'device', op: 'remove', device_id: devices[0] },
    ]);
    const state = async (person: Person, key: string) =>
      (await person.register({ fetch_event_types: [key] }))['devices'];
    expect(await state(ann, 'device')).toEqual({ [devices[1] ?? 0]: DEVICE });
    expect(await state(ann, 'devices')).toEqual({ [devices[1] ?? 0]: DEVICE });
    expect(await state(bob, 'device')).toEqual({});
    expect(await bob.receive(() => newDevice(ann), 'device')).toEqual([]);
  });

  it('devices of others and removed devices cannot be removed', async () => {
    const bob = await server.person();
    const device_id = await newDevice(ann);
    for (const request of [{ device_id: device_id + 1 }, { device_id: 0 }, { device_id: 'x' }, { device_id: 1.5 }]) {
      const { status, body } = await ann.post('/remove_client_device', request);
      expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
    }
    expect((await bob.post('/remove_client_device', { device_id })).status).toBe(400);
    expect((await ann.post('/remove_client_device', {})).body.code).toBe('REQUEST_VARIABLE_MISSING');
    granted(await ann.post('/remove_client_device', { device_id }));
    expect((await ann.post('/remove_client_device', { device_id })).status).toBe(400);
  });

  it('a registration is refused before any other check', async () => {
    for (const request of [{}, { device_id: 'x' }, { device_id: await newDevice(ann), push_key: '' }]) {
      const { status, body } = await ann.post('/mobile_push/register', request);
      expect([status, body.code]).toEqual([400, 'PUSH_SERVICE_NOT_CONFIGURED']);
    }
    expect((await server.anonymous.post('/mobile_push/register')).status).toBe(401);
  });

  it('no device is active for a test notification', async () => {
    for (const request of [{}, { device_id: 1 }, { device_id: await newDevice(ann) }]) {
      const { status, body } = await ann.post('/mobile_push/e2ee/test_notification', request);
      expect([status, body.code]).toEqual([400, 'NO_ACTIVE_PUSH_DEVICE']);
    }
    const { status, body } = await ann.post('/mobile_push/e2ee/test_notification', { device_id: 'x' });
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
  });

  it('bots have no devices', async () => {
    const bot = await server.bot(ann);
    const calls = ['/register_client_device', '/remove_client_device', '/mobile_push/register', ...TOKENS];
    for (const path of [...calls, '/mobile_push/e2ee/test_notification', '/mobile_push/test_notification']) {
      const { status, body } = await bot.post(path, { device_id: 1, token: 'ab', appid: 'a' });
      expect([path, status, body.code]).toEqual([path, 400, 'BAD_REQUEST']);
    }
  });

  it('POST /register says that push notifications are disabled', async () => {
    expect(granted(await server.anonymous.get('/server_settings'))).toMatchObject({
      push_notifications_enabled: false,
    });
    expect(await ann.register({ fetch_event_types: ['realm'] })).toMatchObject({
      realm_push_notifications_enabled: false,
    });
  });

  it('older apps add and remove their tokens', async () => {
    const bob = await server.person();
    const given = { token: 'ab'.repeat(32), appid: 'org.example-App.9' };
    for (const path of TOKENS) {
      for (const who of [ann, ann, bob]) granted(await who.post(path, given));
      granted(await ann.delete(path, { token: given.token }));
      const { status, body } = await ann.delete(path, { token: given.token });
      expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
      granted(await bob.delete(path, { token: given.token }));
    }
  });

  it.each<[path: (typeof TOKENS)[number], request: Params]>([
    [TOKENS[0], {}],
    [TOKENS[0], { token: '' }],
    [TOKENS[0], { token: 'a'.repeat(4097) }],
    [TOKENS[1], { token: 'abcd' }],
    [TOKENS[1], { token: '', appid: 'a' }],
    [TOKENS[1], { token: 'a'.repeat(4097), appid: 'a' }],
    [TOKENS[1], { token: 'no bytes', appid: 'a' }],
    [TOKENS[1], { token: 'abcd', appid: '' }],
    [TOKENS[1], { token: 'abcd', appid: 'a b' }],
    [TOKENS[1], { token: 'abcd', appid: '../a' }],
  ])('%s with %j is refused', async (path, request) => {
    expect((await ann.post(path, request)).status).toBe(400);
  });

  it('accepts a token of the maximum length', async () => {
    const token = Array.from({ length: 4096 }, (_, n) => String.fromCharCode(33 + ((n * 7919) % 90))).join('');
    granted(await ann.post(TOKENS[0], { token }));
    granted(await ann.delete(TOKENS[0], { token }));
  });
});

describe('on a server with a push service', () => {
  let pushed: PushServer;
  let bouncer: ReferenceBouncer;
  let server: TestServer;
  let ann: Person;
  let device_id: number;
  beforeAll(async () => {
    pushed = await startWithPush();
    ({ server, bouncer } = pushed);
    ann = await server.person();
    device_id = await newDevice(ann);
  });
  afterAll(() => pushed.close());

  it('POST /register says that push notifications are enabled', async () => {
    expect(granted(await server.anonymous.get('/server_settings'))).toMatchObject({ push_notifications_enabled: true });
    expect(await ann.register({ fetch_event_types: ['realm'] })).toMatchObject({
      realm_push_notifications_enabled: true,
    });
  });

  const bytes = (length: number, first = 0x31) => Buffer.alloc(length, 7).fill(first, 0, 1).toString('base64');
  it.each<[what: string, request: Params]>([
    ['a key of 32 bytes', { push_key: bytes(32) }],
    ['a key of 34 bytes', { push_key: bytes(34) }],
    ['a key locked in another way', { push_key: bytes(33, 0x32) }],
    ['a key that is no Base64', { push_key: `${bytes(33).slice(0, -1)}!` }],
    ['a key without padding', { push_key: Buffer.alloc(33, 0x31).toString('base64').slice(0, -1) }],
    ['an empty key', { push_key: '' }],
    [
      'a key of the alphabet for addresses',
      { push_key: Buffer.of(0x31, ...Array<number>(32).fill(0xfb)).toString('base64url') },
    ],
    [
      'a key with blanks for plus signs',
      {
        push_key: Buffer.of(0x31, ...Array<number>(32).fill(0xfb))
          .toString('base64')
          .replaceAll('+', ' '),
      },
    ],
    ['a key with a line end', { push_key: `${bytes(33)}\n` }],
    ['a negative id', { push_key_id: -1 }],
    ['too great an id', { push_key_id: 4_294_967_296 }],
    ['an id that is no number', { push_key_id: 'x' }],
    ['an empty id', { push_key_id: '' }],
    ['an unknown service', { token_kind: 'mail' }],
    ['a token id of 7 bytes', { token_id: bytes(7) }],
    ['a token id of 9 bytes', { token_id: bytes(9) }],
    ['a token id with loose ends', { token_id: 'AAAAAAAAAAB=' }],
    ['an empty public key', { bouncer_public_key: '' }],
    ['a public key that is none', { bouncer_public_key: '%%%' }],
    ['too long a public key', { bouncer_public_key: bytes(1_200) }],
    ['an empty registration', { encrypted_push_registration: '' }],
    ['too long a registration', { encrypted_push_registration: bytes(30_000) }],
    ['no device', { device_id: undefined }],
    ['a device of nobody', { device_id: 1_000_000 }],
    ['a device that is no number', { device_id: 'x' }],
    ['a key without its id', { push_key_id: undefined }],
    ['an id without its key', { push_key: undefined }],
    ['a token without its service', { token_kind: undefined }],
    ['a token without its id', { token_id: undefined }],
    ['a token without the public key', { bouncer_public_key: undefined }],
    ['a token without the registration', { encrypted_push_registration: undefined }],
  ])('%s is refused', async (_, request) => {
    const asked = { device_id, ...bouncer.registration(bouncer.phone()), ...request };
    let answer;
    const events = await ann.receive(async () => (answer = await ann.post('/mobile_push/register', asked)), 'device');
    expect(answer).toMatchObject({ status: 400 });
    expect(events).toEqual([]);
  });

  it('devices of others cannot be registered', async () => {
    const bob = await server.person();
    const { status, body } = await bob.post('/mobile_push/register', {
      device_id,
      ...bouncer.registration(bouncer.phone()),
    });
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
  });

  it('reads plus signs only as forms escape them', async () => {
    const key = Buffer.of(0x31, ...Array<number>(32).fill(0xfb)).toString('base64');
    expect(key).toContain('+');
    const own = await newDevice(ann);
    const form = new URLSearchParams({ device_id: String(own), push_key_id: '5', push_key: key });
    for (const [name, value] of Object.entries(bouncer.registration(bouncer.phone(), 'token')))
      form.set(name, String(value));
    const send = async (body: string) => {
      const headers = {
        authorization: `Basic ${btoa(`${ann.email}:${ann.key}`)}`,
        'content-type': 'application/x-www-form-urlencoded',
      };
      return (await fetch(`${server.url}/api/v1/mobile_push/register`, { method: 'POST', headers, body })).status;
    };
    expect(await send(form.toString().replaceAll('%2B', '+'))).toBe(400);
    expect(await send(form.toString())).toBe(200);
  });
});
