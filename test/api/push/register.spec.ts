import { HOUR_MS } from '@annals/kernel/domain';
import { ReferenceBouncer, tokenIdOf } from '../../support/push/bouncer';
import type { WireEvent } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { PushServer } from '../../support/push/push';
import { newDevice, registeredPhone, startWithPush, eventsOf, until } from '../../support/push/push';
import type { TestServer } from '../../support/server/server';

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

const now = () => server.clock.now() / 1000;
const devicesOf = async (person: Person) => (await person.register({ fetch_event_types: ['device'] }))['devices'];
const without = ({ id: _, type: __, ...event }: WireEvent) => event;

describe('a registration', () => {
  it('is accepted at once, with an event when the push service has confirmed it', async () => {
    const phone = bouncer.phone('apns');
    const deviceId = await newDevice(ann);
    const queue = await ann.register({ event_types: ['device'] });
    const { body, status } = await ann.post('/mobile_push/register', {
      device_id: deviceId,
      ...bouncer.registration(phone),
    });
    expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
    const events = (await eventsOf(server, ann, queue, 2)).map(without);
    const token_id = tokenIdOf(phone.token);
    expect(events).toEqual([
      {
        op: 'update',
        device_id: deviceId,
        push_key_id: phone.keyId,
        pending_push_token_id: token_id,
        push_token_last_updated_timestamp: now(),
        push_registration_error_code: null,
      },
      { op: 'update', device_id: deviceId, push_token_id: token_id, pending_push_token_id: null },
    ]);
    expect(await devicesOf(ann)).toEqual({
      [deviceId]: {
        push_key_id: phone.keyId,
        push_token_id: token_id,
        pending_push_token_id: null,
        push_token_last_updated_timestamp: now(),
        push_registration_error_code: null,
      },
    });
    const asked = bouncer.asked.calls.filter(([, fields]) => fields['token_id'] === token_id);
    expect(asked.map(([path, fields]) => [path, Object.keys(fields).sort()])).toEqual([
      ['e2ee/register', ['bouncer_public_key', 'encrypted_push_registration', 'realm_uuid', 'token_id']],
    ]);
  });

  it('that is repeated changes nothing and sends no request', async () => {
    const { deviceId, phone } = await registeredPhone(server, bouncer, ann);
    const asked = bouncer.asked.calls.length;
    const register = (only: 'both' | 'key' | 'token') =>
      ann.post('/mobile_push/register', { device_id: deviceId, ...bouncer.registration(phone, only) });
    const events = await ann.receive(async () => {
      for (const only of ['both', 'key', 'token'] as const) granted(await register(only));
    }, 'device');
    expect(events).toEqual([]);
    expect(bouncer.asked.calls).toHaveLength(asked);
  });

  it('of another key sends only the new key id', async () => {
    const { deviceId, phone } = await registeredPhone(server, bouncer, ann);
    const changed = bouncer.rekeyed(phone);
    const events = await ann.receive(
      () => ann.post('/mobile_push/register', { device_id: deviceId, ...bouncer.registration(changed, 'key') }),
      'device',
    );
    expect(events.map(without)).toEqual([{ op: 'update', device_id: deviceId, push_key_id: changed.keyId }]);
  });

  it('of another token keeps the key and the old token until it is confirmed', async () => {
    const { deviceId, phone } = await registeredPhone(server, bouncer, ann);
    bouncer.behaviour = 'slow';
    const next = { ...bouncer.phone(), keyId: phone.keyId, key: phone.key };
    const queue = await ann.register({ event_types: ['device'] });
    granted(await ann.post('/mobile_push/register', { device_id: deviceId, ...bouncer.registration(next, 'token') }));
    const pending = tokenIdOf(next.token);
    expect(await devicesOf(ann)).toMatchObject({
      [deviceId]: { push_key_id: phone.keyId, push_token_id: tokenIdOf(phone.token), pending_push_token_id: pending },
    });
    const again = await ann.post('/mobile_push/register', {
      device_id: deviceId,
      ...bouncer.registration(bouncer.phone(), 'token'),
    });
    expect([again.status, again.body.code]).toEqual([400, 'BAD_REQUEST']);
    await until(() => bouncer.asked.calls.some(([, fields]) => fields['token_id'] === pending));
    bouncer.release();
    const [asked, taken] = (await eventsOf(server, ann, queue, 2)).map(without);
    expect(asked).toEqual({
      op: 'update',
      device_id: deviceId,
      pending_push_token_id: pending,
      push_token_last_updated_timestamp: now(),
      push_registration_error_code: null,
    });
    expect(taken).toMatchObject({ push_token_id: pending, pending_push_token_id: null });
  });

  it.each(['INVALID_BOUNCER_PUBLIC_KEY', 'INVALID_ENCRYPTED_PUSH_REGISTRATION'])(
    'that is refused with %s keeps the request, and can be retried',
    async (code) => {
      const other = await ReferenceBouncer.start();
      const phone = bouncer.phone();
      const deviceId = await newDevice(ann);
      const queue = await ann.register({ event_types: ['device'] });
      const [own, foreign] = [bouncer.registration(phone), other.registration(phone)];
      await other.stop();
      const part = code === 'INVALID_BOUNCER_PUBLIC_KEY' ? 'bouncer_public_key' : 'encrypted_push_registration';
      granted(await ann.post('/mobile_push/register', { device_id: deviceId, ...own, [part]: foreign[part] }));
      const [, refused] = (await eventsOf(server, ann, queue, 2)).map(without);
      expect(refused).toEqual({ op: 'update', device_id: deviceId, push_registration_error_code: code });
      expect(await devicesOf(ann)).toMatchObject({
        [deviceId]: { pending_push_token_id: tokenIdOf(phone.token), push_token_id: null },
      });
      granted(await ann.post('/mobile_push/register', { device_id: deviceId, ...own }));
      const [, , , taken] = await eventsOf(server, ann, queue, 4);
      expect(taken).toMatchObject({ push_token_id: tokenIdOf(phone.token), pending_push_token_id: null });
    },
  );

  it.each(['away', 'broken', 'babbles', 'strange'] as const)(
    'is retried while the push service %s, and expires in the end',
    async (mood) => {
      bouncer.behaviour = mood;
      const deviceId = await newDevice(ann);
      const queue = await ann.register({ event_types: ['device'] });
      const tries = bouncer.asked.calls.length;
      granted(
        await ann.post('/mobile_push/register', { device_id: deviceId, ...bouncer.registration(bouncer.phone()) }),
      );
      const later = () => server.clock.advance(1_000);
      await until(() => bouncer.asked.calls.length >= tries + 3, later);
      expect(await ann.events(queue)).toHaveLength(1);
      server.clock.advance(25 * HOUR_MS);
      const [, expired] = (await eventsOf(server, ann, queue, 2, later)).map(without);
      expect(expired).toEqual({
        op: 'update',
        device_id: deviceId,
        push_registration_error_code: 'REQUEST_EXPIRED',
      });
    },
  );

  it('ends with the keys of the account; the device stays', async () => {
    const { deviceId, phone } = await registeredPhone(server, bouncer, ann);
    const fresh = await newDevice(ann);
    const { api_key: key } = granted(await ann.post<{ api_key: string }>('/users/me/api_key/regenerate'));
    const again = server.as({ email: ann.email, key });
    const none = {
      push_key_id: null,
      push_token_id: null,
      pending_push_token_id: null,
      push_token_last_updated_timestamp: null,
      push_registration_error_code: null,
    };
    const { devices } = await again.register({ fetch_event_types: ['device'] });
    expect(devices).toEqual({ [deviceId]: none, [fresh]: none });
    const { rows } = await server.kernel.database.pool.query(`SELECT id FROM secrets WHERE id LIKE '%-' || $1`, [
      deviceId,
    ]);
    expect(rows.filter(({ id }: { id: string }) => id.startsWith('push'))).toEqual([]);
    const { body } = await again.post('/mobile_push/e2ee/test_notification', { device_id: deviceId });
    expect(body.code).toBe('NO_ACTIVE_PUSH_DEVICE');
    const only = bouncer.registration(phone, 'token');
    expect((await again.post('/mobile_push/register', { device_id: fresh, ...only })).status).toBe(400);
    expect((await again.post('/mobile_push/register', { device_id: deviceId, ...only })).status).toBe(400);
  });

  it('survives a deactivation, and is deleted with the profile', async () => {
    const { deviceId } = await registeredPhone(server, bouncer, ann);
    granted(await ann.post('/users/me/android_gcm_reg_id', { token: 'an older app of Ann' }));
    granted(
      await ann.post('/mobile_push/register', {
        device_id: await newDevice(ann),
        ...bouncer.registration(bouncer.phone('fcm')),
      }),
    );
    const known = async () => Object.keys((await devicesOf(ann)) as object);
    const devices = await known();
    const { owner } = server;
    granted(await owner.delete(`/users/${ann.id}`));
    granted(await owner.post(`/users/${ann.id}/reactivate`));
    expect(await known()).toEqual(devices);
    const { pool } = server.kernel.database;
    const kept = async () => (await pool.query<{ id: string }>(`SELECT id FROM secrets WHERE kind LIKE '%push%'`)).rows;
    const before = await kept();
    expect(before.map(({ id }) => id)).toContain(`push-key-${deviceId}`);
    granted(await owner.delete(`/users/${ann.id}`, { actions: { delete_profile: true } }));
    const removed = before.filter(
      ({ id }) => devices.some((device) => id.endsWith(`-${device}`)) || id.startsWith('legacy'),
    );
    const after = await kept();
    expect(removed.length).toBeGreaterThanOrEqual(3);
    for (const one of removed) expect(after).not.toContainEqual(one);
    const left =
      'SELECT FROM view.push_devices WHERE user_id = $1 UNION ALL SELECT FROM view.legacy_push_tokens WHERE user_id = $1';
    expect((await pool.query(left, [ann.id])).rowCount).toBe(0);
  });
});
