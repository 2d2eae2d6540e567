import type { Position, Recorded, UserId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import type { Devices, RegistrationInput } from './devices';
import {
  MAX_DEVICES,
  MAX_LEGACY_TOKENS,
  acceptRegistration,
  addDevice,
  addLegacyToken,
  devicesAggregate,
  endRegistrations,
  expireToken,
  failRegistration,
  registerPush,
  removeDevice,
  removeLegacyToken,
} from './devices';
import type { DeviceId, DevicesEvent, LegacyTokenId } from './events';

const ANN = 7 as UserId;
const DEVICE = 3 as DeviceId;
const OTHER = 4 as DeviceId;
const TOKEN = { kind: 'fcm', id: 'AAAAAAAAAAA=' } as const;
const NEXT = { kind: 'fcm', id: 'BBBBBBBBBBA=' } as const;

let position = 0;
const NOBODY: Devices = { devices: [], legacy: [] };
const after = (state: Devices, ...facts: readonly DevicesEvent[]): Devices =>
  facts.reduce((before, fact) => {
    const event = { ...fact, position: ++position as Position } as unknown as Recorded<DevicesEvent>;
    return devicesAggregate.evolve(before, event);
  }, state);
const register = (state: Devices, input: Partial<RegistrationInput>, deviceId = DEVICE) =>
  registerPush(state, ANN, deviceId, { key: null, token: null, ...input });
const refusal = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof Rejected) return error.message;
    throw error;
  }
  return 'granted';
};
const typesOf = (facts: readonly { readonly type: string }[]) => facts.map(({ type }) => type);
const sinceOf = (state: Devices) => ({ deviceId: DEVICE, since: state.devices[0]?.pending?.since ?? (0 as Position) });

const FRESH = after(NOBODY, ...addDevice(NOBODY, ANN, DEVICE));
const KEY = { id: 1, isSame: false };
const SAME = { id: 1, isSame: true };
const PENDING = after(FRESH, ...register(FRESH, { key: KEY, token: TOKEN }));
const ACTIVE = after(PENDING, ...acceptRegistration(PENDING, ANN, sinceOf(PENDING), 1001));
const FAILED = after(PENDING, ...failRegistration(PENDING, ANN, sinceOf(PENDING), 'INVALID_BOUNCER_PUBLIC_KEY'));
const ROTATING = after(ACTIVE, ...register(ACTIVE, { token: NEXT }));
const STUCK = after(ROTATING, ...failRegistration(ROTATING, ANN, sinceOf(ROTATING), 'REQUEST_EXPIRED'));

const KEY_CHANGED = 'push.PushKeyChanged';
const ASKED = 'push.RegistrationAsked';

describe('a registration for notifications', () => {
  it.each<[what: string, state: Devices, input: Partial<RegistrationInput>, facts: readonly string[]]>([
    ['13: key and token of a fresh device', FRESH, { key: KEY, token: TOKEN }, [KEY_CHANGED, ASKED]],
    ['7: the same key', ACTIVE, { key: SAME }, []],
    ['8: the same id for another key', ACTIVE, { key: KEY }, [KEY_CHANGED]],
    ['8: another id for the same key', ACTIVE, { key: { id: 2, isSame: true } }, [KEY_CHANGED]],
    ['8: another key while a token is pending', PENDING, { key: { id: 2, isSame: false } }, [KEY_CHANGED]],
    ['9: the same token', ACTIVE, { token: TOKEN }, []],
    ['9: the same key and token', ACTIVE, { key: SAME, token: TOKEN }, []],
    ['9: another key with the same token', ACTIVE, { key: KEY, token: TOKEN }, [KEY_CHANGED]],
    ['9 before 10: the active token while another is pending', ROTATING, { token: TOKEN }, []],
    ['11: the token that failed', FAILED, { token: TOKEN }, [ASKED]],
    ['11: another token after one that failed', FAILED, { token: NEXT }, [ASKED]],
    ['11: the active token after another failed', STUCK, { token: TOKEN }, [ASKED]],
    ['12: another token', ACTIVE, { token: NEXT }, [ASKED]],
    ['12: the same token of another service', ACTIVE, { token: { ...TOKEN, kind: 'apns' } }, [ASKED]],
    ['8 and 12: both', ACTIVE, { key: KEY, token: NEXT }, [KEY_CHANGED, ASKED]],
  ])('row %s', (_, state, input, facts) => {
    expect(typesOf(register(state, input))).toEqual(facts);
  });

  it.each<[what: string, state: Devices, input: Partial<RegistrationInput>, deviceId: DeviceId, text: RegExp]>([
    ['2: a device of nobody', FRESH, { key: KEY, token: TOKEN }, OTHER, /device_id/],
    ['3: nothing', ACTIVE, {}, DEVICE, /Missing parameters/],
    ['5: a key alone at first', FRESH, { key: KEY }, DEVICE, /required for the initial/],
    ['6: a token alone at first', FRESH, { token: TOKEN }, DEVICE, /required for the initial/],
    ['10: a token while it is pending', PENDING, { token: TOKEN }, DEVICE, /in progress/],
    ['10: a token while another is pending', ROTATING, { token: { ...NEXT, id: 'CCCCCCCCCCA=' } }, DEVICE, /progress/],
    ['10: with a key too', PENDING, { key: KEY, token: NEXT }, DEVICE, /in progress/],
  ])('row %s is refused', (_, state, input, deviceId, text) => {
    expect(refusal(() => register(state, input, deviceId))).toMatch(text);
  });

  it('is completed once, and by the answer to its own request only', () => {
    const asked = sinceOf(PENDING);
    expect(ACTIVE.devices[0]).toMatchObject({ active: TOKEN, pending: null, error: null });
    expect(acceptRegistration(ACTIVE, ANN, asked, 1001)).toEqual([]);
    expect(acceptRegistration(FAILED, ANN, asked, 1001)).toEqual([]);
    expect(failRegistration(FAILED, ANN, asked, 'REQUEST_EXPIRED')).toEqual([]);
    const again = after(FAILED, ...register(FAILED, { token: NEXT }));
    expect(acceptRegistration(again, ANN, asked, 1001)).toEqual([]);
    expect(acceptRegistration(NOBODY, ANN, asked, 1001)).toEqual([]);
    expect(typesOf(acceptRegistration(again, ANN, sinceOf(again), 1001))).toEqual(['push.RegistrationAccepted']);
  });

  it('ends a registration of an older app with the same token', () => {
    const [mine, apples] = [8, 9] as LegacyTokenId[];
    const older = after(
      PENDING,
      ...addLegacyToken(PENDING, ANN, { ...TOKEN, appId: null }, mine as LegacyTokenId),
      ...addLegacyToken(PENDING, ANN, { ...TOKEN, kind: 'apns', appId: 'a.b' }, apples as LegacyTokenId),
    );
    const facts = acceptRegistration(older, ANN, sinceOf(older), 1001);
    expect(facts.map(({ type, data }) => [type, 'legacyTokenId' in data && data.legacyTokenId])).toEqual([
      ['push.RegistrationAccepted', false],
      ['push.LegacyTokenRemoved', mine],
    ]);
    expect(after(older, ...facts).legacy.map(({ tokenId }) => tokenId)).toEqual([apples]);
  });

  it('loses an expired token, unless it has another one by now', () => {
    const expired = { ...TOKEN, deviceId: DEVICE, serviceDeviceId: 1001 };
    expect(typesOf(expireToken(ACTIVE, ANN, expired))).toEqual(['push.TokenExpired']);
    expect(expireToken(ACTIVE, ANN, { ...expired, ...NEXT })).toEqual([]);
    expect(expireToken(ACTIVE, ANN, { ...expired, deviceId: OTHER })).toEqual([]);
    const gone = after(ACTIVE, ...expireToken(ACTIVE, ANN, expired));
    expect(expireToken(gone, ANN, expired)).toEqual([]);
    expect(typesOf(register(gone, { token: TOKEN }))).toEqual([ASKED]);
  });

  it('keeps a token that was registered again before an earlier token expired', () => {
    const expired = { ...TOKEN, deviceId: DEVICE, serviceDeviceId: 1001 };
    const gone = after(ACTIVE, ...expireToken(ACTIVE, ANN, expired));
    const asked = after(gone, ...register(gone, { token: TOKEN }));
    const again = after(asked, ...acceptRegistration(asked, ANN, sinceOf(asked), 1002));
    expect(expireToken(again, ANN, expired)).toEqual([]);
    expect(typesOf(expireToken(again, ANN, { ...expired, serviceDeviceId: 1002 }))).toEqual(['push.TokenExpired']);
  });

  it('ends with all others of the account, and unregistered devices do not change', () => {
    const both = after(STUCK, ...addDevice(STUCK, ANN, OTHER));
    const facts = endRegistrations(both, ANN);
    expect(facts.map(({ data }) => data)).toEqual([
      { userId: ANN, deviceId: DEVICE, hadToken: true, wasPending: true, hadFailed: true },
    ]);
    const ended = after(both, ...facts);
    expect(ended.devices).toEqual(after(FRESH, ...addDevice(FRESH, ANN, OTHER)).devices);
    expect(endRegistrations(ended, ANN)).toEqual([]);
  });
});

describe('devices and tokens', () => {
  it('are removed by their owner', () => {
    expect(after(FRESH, ...removeDevice(FRESH, ANN, DEVICE)).devices).toEqual([]);
    expect(refusal(() => removeDevice(FRESH, ANN, OTHER))).toMatch(/device_id/);
    const one = after(NOBODY, ...addLegacyToken(NOBODY, ANN, { ...TOKEN, appId: null }, 1 as LegacyTokenId));
    expect(after(one, ...removeLegacyToken(one, ANN, TOKEN)).legacy).toEqual([]);
    expect(refusal(() => removeLegacyToken(one, ANN, { ...TOKEN, kind: 'apns' }))).toMatch(/does not exist/);
  });

  it('are not added twice, and are limited in number', () => {
    const one = after(NOBODY, ...addLegacyToken(NOBODY, ANN, { ...TOKEN, appId: null }, 1 as LegacyTokenId));
    expect(addLegacyToken(one, ANN, { ...TOKEN, appId: null }, 2 as LegacyTokenId)).toEqual([]);
    const many = {
      devices: Array(MAX_DEVICES).fill(FRESH.devices[0]),
      legacy: Array(MAX_LEGACY_TOKENS).fill(one.legacy[0]),
    };
    expect(refusal(() => addDevice(many, ANN, OTHER))).toMatch(/devices already/);
    expect(refusal(() => addLegacyToken(many, ANN, { ...NEXT, appId: null }, 2 as LegacyTokenId))).toMatch(/already/);
  });
});
