import { defineContext } from '@annals/kernel';
import type { Fact, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { ProfileDeleted } from '@annals/users';
import type { TestKernel } from '../../../../test/support/server/kernel';
import { REALM, openTestKernel } from '../../../../test/support/server/kernel';
import type { DeviceId, LegacyTokenId } from '../domain/events';
import {
  DeviceAdded,
  DeviceRemoved,
  LegacyTokenAdded,
  LegacyTokenRemoved,
  PushKeyChanged,
  RegistrationAccepted,
  RegistrationAsked,
  RegistrationEnded,
  RegistrationFailed,
  TokenExpired,
} from '../domain/events';
import { pushContext } from '../push.context';
import { devicesRegisterBlock, readActiveDevices, readLegacyTokens } from './devices';

const [ann, ben] = [1, 2] as [UserId, UserId];
const FCM = { tokenKind: 'fcm', tokenId: 'AAAAAAAAAAA=' } as const;
const APNS = { tokenKind: 'apns', tokenId: 'BBBBBBBBBBA=' } as const;
const NOTHING = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
};

describe('the read model of devices', () => {
  let test: TestKernel;
  const happened = (user: UserId, ...facts: readonly Fact[]) =>
    test.state(...facts.map((one) => [`devices-${user}`, one] as const));
  const of = (userId: UserId, id: number) => ({ userId, deviceId: id as DeviceId });
  const added = (user: UserId, id: number) => fact(DeviceAdded, of(user, id));
  const keyed = (user: UserId, id: number, pushKeyId: number) => fact(PushKeyChanged, { ...of(user, id), pushKeyId });
  const asked = (user: UserId, id: number, token: typeof FCM | typeof APNS) =>
    fact(RegistrationAsked, { ...of(user, id), ...token });
  const accepted = (user: UserId, id: number, token: typeof FCM | typeof APNS, serviceDeviceId: number) =>
    fact(RegistrationAccepted, { ...of(user, id), ...token, serviceDeviceId });
  const known = (user: UserId, id: number) =>
    happened(user, added(user, id), keyed(user, id, id * 10), asked(user, id, FCM), accepted(user, id, FCM, id + 1000));

  const shown = async (user: UserId) => {
    const client = await test.kernel.database.pool.connect();
    try {
      const block = await devicesRegisterBlock.read(
        { client, realmId: REALM } as never,
        { userId: user } as never,
        {} as never,
      );
      return (block as { devices: Record<string, unknown> }).devices;
    } finally {
      client.release();
    }
  };
  /** The ids of these users' devices at the push service. */
  const active = async (users: readonly UserId[], only?: number) =>
    (await readActiveDevices(test.kernel.database.pool, REALM, users, only)).map((one) => one.serviceDeviceId);
  const withSecret = (id: string) =>
    test.kernel.database.pool.query('INSERT INTO secrets (realm_id, id, kind, value) VALUES ($1, $2, $3, $4)', [
      REALM,
      id,
      'push-key',
      Buffer.from('secret'),
    ]);

  beforeEach(async () => {
    test = await openTestKernel([pushContext, defineContext({ name: 'users', events: [ProfileDeleted] })]);
  });
  afterEach(() => test.close());

  it('shows a device from its first registration to its last error', async () => {
    const seconds = Math.floor(test.clock.now() / 1000);
    await happened(ann, added(ann, 3));
    expect(await shown(ann)).toEqual({ 3: NOTHING });
    await happened(ann, keyed(ann, 3, 4_294_967_295), asked(ann, 3, FCM));
    const pending = { ...NOTHING, push_key_id: 4_294_967_295, push_token_last_updated_timestamp: seconds };
    expect(await shown(ann)).toEqual({ 3: { ...pending, pending_push_token_id: FCM.tokenId } });
    await happened(ann, accepted(ann, 3, FCM, 1001));
    const registered = { ...pending, push_token_id: FCM.tokenId };
    expect(await shown(ann)).toEqual({ 3: registered });
    test.clock.advance(60_000);
    const code = 'REQUEST_EXPIRED';
    await happened(ann, asked(ann, 3, APNS), fact(RegistrationFailed, { ...of(ann, 3), tokenId: APNS.tokenId, code }));
    const failed = { pending_push_token_id: APNS.tokenId, push_registration_error_code: code };
    const later = { push_token_last_updated_timestamp: seconds + 60 };
    expect(await shown(ann)).toEqual({ 3: { ...registered, ...failed, ...later } });
    await happened(ann, asked(ann, 3, APNS));
    const again = { pending_push_token_id: APNS.tokenId, push_registration_error_code: null };
    expect(await shown(ann)).toEqual({ 3: { ...registered, ...again, ...later } });
    await happened(ann, fact(TokenExpired, of(ann, 3)));
    expect(await shown(ann)).toEqual({ 3: { ...registered, ...again, ...later, push_token_id: null } });
    await happened(
      ann,
      fact(RegistrationEnded, { ...of(ann, 3), hadToken: false, wasPending: true, hadFailed: false }),
    );
    expect(await shown(ann)).toEqual({ 3: NOTHING });
  });

  it('lists devices that can be notified: those with a token and a key', async () => {
    await known(ann, 3);
    await known(ann, 4);
    await known(ben, 5);
    await happened(ann, added(ann, 6), keyed(ann, 6, 60), asked(ann, 6, FCM));
    for (const id of [3, 4, 5, 6]) await withSecret(`push-key-${id}`);
    expect(await active([ann, ben])).toEqual([1003, 1004, 1005]);
    expect(await active([ann])).toEqual([1003, 1004]);
    expect(await active([ann], 4)).toEqual([1004]);
    expect(await active([ann], 5)).toEqual([]);
    await happened(ann, fact(TokenExpired, of(ann, 3)), fact(DeviceRemoved, of(ann, 4)));
    expect(await active([ann, ben])).toEqual([1005]);
    // Another token than the registered one: notifications are sent to the former one until the new one is registered.
    await happened(ben, asked(ben, 5, APNS));
    expect(await readActiveDevices(test.kernel.database.pool, REALM, [ben])).toMatchObject([
      { kind: 'fcm', tokenId: FCM.tokenId, serviceDeviceId: 1005, keyId: 50 },
    ]);
    await test.kernel.database.pool.query(`DELETE FROM secrets WHERE id = 'push-key-5'`);
    expect(await active([ben])).toEqual([]);
  });

  it('deletes devices and tokens of older apps with the profile of their user only', async () => {
    const older = (userId: UserId, id: number) =>
      fact(LegacyTokenAdded, { userId, legacyTokenId: id as LegacyTokenId, ...APNS, appId: 'org.example.App' });
    await known(ann, 3);
    await known(ben, 4);
    await happened(ann, older(ann, 7));
    await happened(ben, older(ben, 8), older(ben, 9));
    for (const id of [7, 8, 9]) await withSecret(`legacy-push-token-${id}`);
    expect(await readLegacyTokens(test.kernel.database.pool, REALM, ann)).toEqual([
      { kind: 'apns', appId: 'org.example.App', token: 'secret' },
    ]);
    await happened(ben, fact(LegacyTokenRemoved, { userId: ben, legacyTokenId: 9 as LegacyTokenId }));
    await test.state([`user-${ann}`, fact(ProfileDeleted, { userId: ann })]);
    expect(await shown(ann)).toEqual({});
    expect(await readLegacyTokens(test.kernel.database.pool, REALM, ann)).toEqual([]);
    expect(Object.keys(await shown(ben))).toEqual(['4']);
    expect(await readLegacyTokens(test.kernel.database.pool, REALM, ben)).toHaveLength(1);
  });
});
