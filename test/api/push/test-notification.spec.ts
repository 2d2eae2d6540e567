import type { BouncerBehaviour, Phone, ReferenceBouncer } from '../../support/push/bouncer';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { PushServer } from '../../support/push/push';
import { newDevice, pushOutboxEmpty, registeredPhone, startWithPush } from '../../support/push/push';
import type { TestServer } from '../../support/server/server';

const TEST = '/mobile_push/e2ee/test_notification';
const LEGACY_TEST = '/mobile_push/test_notification';

let pushed: PushServer;
let bouncer: ReferenceBouncer;
let server: TestServer;
let ann: Person;
beforeAll(async () => {
  pushed = await startWithPush();
  ({ server, bouncer } = pushed);
});
beforeEach(async () => {
  bouncer.behaviour = 'accepts';
  ann = await server.person();
});
afterAll(() => pushed.close());

const textsFor = ({ token }: Phone) => bouncer.notified.calls.flatMap(([one]) => (one.phone === token ? [one] : []));
const answerOf = async (path: string, input = {}) => {
  const { status, body } = await ann.post(path, input);
  return [status, body.code];
};

describe('a test notification', () => {
  it('is sent to all devices, or to the named one, and only they can read it', async () => {
    const [one, two] = [
      await registeredPhone(server, bouncer, ann),
      await registeredPhone(server, bouncer, ann, 'apns'),
    ];
    const { status, body } = await ann.post(TEST);
    expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
    granted(await ann.post(TEST, { device_id: two.deviceId }));
    const [android, apple] = [textsFor(one.phone), textsFor(two.phone)];
    expect([android.length, apple.length]).toEqual([1, 2]);
    expect(android[0]?.text).toEqual({
      type: 'test',
      realm_url: server.url,
      realm_name: 'Annals',
      user_id: ann.id,
      time: server.clock.now() / 1000,
    });
    expect(android[0]?.request).toMatchObject({
      fcm_priority: 'high',
      payload: { push_key_id: String(one.phone.keyId) },
    });
    expect(apple[0]?.request).toMatchObject({
      payload: { push_key_id: two.phone.keyId, aps: { 'mutable-content': 1 } },
    });
    const blobs = apple.map(({ request }) => (request['payload'] as { encrypted_data: string }).encrypted_data);
    expect(new Set(blobs.map((blob) => blob.slice(0, 32))).size).toBe(2);
  });

  it('requires an active device of the caller', async () => {
    const bob = await server.person();
    const { deviceId } = await registeredPhone(server, bouncer, bob);
    for (const input of [{}, { device_id: deviceId }, { device_id: await newDevice(ann) }, { device_id: -1 }]) {
      expect(await answerOf(TEST, input)).toEqual([400, 'NO_ACTIVE_PUSH_DEVICE']);
    }
    for (const device_id of ['x', '', 1.5]) expect(await answerOf(TEST, { device_id })).toEqual([400, 'BAD_REQUEST']);
  });

  it.each<[BouncerBehaviour, number, string]>([
    ['away', 502, 'FAILED_TO_CONNECT_BOUNCER'],
    ['babbles', 502, 'FAILED_TO_CONNECT_BOUNCER'],
    ['broken', 502, 'INTERNAL_SERVER_ERROR_ON_BOUNCER'],
    ['strange', 403, 'ADMIN_ACTION_REQUIRED'],
    [{ refuses: 'PUSH_NOTIFICATIONS_DISALLOWED' }, 403, 'ADMIN_ACTION_REQUIRED'],
    [{ refuses: 'INVALID_ZULIP_SERVER' }, 403, 'ADMIN_ACTION_REQUIRED'],
    [{ refuses: 'SOMETHING_NEW' }, 400, 'BAD_REQUEST'],
  ])('of a service that is %j answers %i %s', async (mood, status, code) => {
    await registeredPhone(server, bouncer, ann);
    granted(await ann.post('/users/me/android_gcm_reg_id', { token: 'an older one' }));
    bouncer.behaviour = mood;
    expect(await answerOf(TEST)).toEqual([status, code]);
    expect(await answerOf(LEGACY_TEST)).toEqual([status, code]);
  });

  it('removes expired tokens', async () => {
    const [one, two] = [await registeredPhone(server, bouncer, ann), await registeredPhone(server, bouncer, ann)];
    bouncer.expired.add(one.phone.token);
    const events = await ann.receive(async () => granted(await ann.post(TEST)), 'device');
    expect(events.map(({ id: _, ...event }) => event)).toEqual([
      { type: 'device', op: 'update', device_id: one.deviceId, push_token_id: null },
    ]);
    expect(await answerOf(TEST, { device_id: one.deviceId })).toEqual([400, 'NO_ACTIVE_PUSH_DEVICE']);
    bouncer.expired.add(two.phone.token);
    expect(await answerOf(TEST)).toEqual([400, 'NO_ACTIVE_PUSH_DEVICE']);
  });

  it('of older apps is sent to their tokens', async () => {
    expect(await answerOf(LEGACY_TEST, { token: 'unknown' })).toEqual([400, 'INVALID_PUSH_DEVICE_TOKEN']);
    granted(await ann.post('/users/me/android_gcm_reg_id', { token: 'an older one' }));
    granted(await ann.post('/users/me/apns_device_token', { token: 'abcd', appid: 'a.b' }));
    const asked = bouncer.asked.calls.length;
    granted(await ann.post(LEGACY_TEST));
    granted(await ann.post(LEGACY_TEST, { token: 'abcd' }));
    const tests = bouncer.asked.calls.slice(asked).map(([path, { token, token_kind }]) => [path, token_kind, token]);
    expect(tests).toEqual([
      ['test_notification', 'fcm', 'an older one'],
      ['test_notification', 'apns', 'abcd'],
      ['test_notification', 'apns', 'abcd'],
    ]);
  });

  it('of older apps is refused where unencrypted notifications are forbidden', async () => {
    granted(await ann.post('/users/me/android_gcm_reg_id', { token: 'an older one' }));
    granted(await server.owner.patch('/realm', { require_e2ee_push_notifications: true }));
    const asked = bouncer.asked.calls.length;
    granted(await ann.post(LEGACY_TEST));
    expect(bouncer.asked.calls).toHaveLength(asked);
    granted(await server.owner.patch('/realm', { require_e2ee_push_notifications: false }));
  });

  it('replaces a registration of an older app with the same token', async () => {
    const phone = bouncer.phone();
    granted(await ann.post('/users/me/android_gcm_reg_id', { token: phone.token }));
    const device_id = await newDevice(ann);
    granted(await ann.post('/mobile_push/register', { device_id, ...bouncer.registration(phone) }));
    await pushOutboxEmpty(server.kernel);
    granted(await ann.post(TEST));
    expect(await answerOf(LEGACY_TEST, { token: phone.token })).toEqual([400, 'INVALID_PUSH_DEVICE_TOKEN']);
  });
});
