import { defineFeed, definePresenter, translate } from '@annals/kernel';
import type { ClientEvent, UserId } from '@annals/kernel/domain';
import { unixSeconds } from '@annals/kernel/domain';
import type { DeviceId } from '../domain/events';
import {
  DeviceAdded,
  DeviceRemoved,
  PushKeyChanged,
  RegistrationAccepted,
  RegistrationAsked,
  RegistrationEnded,
  RegistrationFailed,
  TokenExpired,
} from '../domain/events';

/** The payload of `device` events beside the device. A field that is left out did not change. */
type Changed = Readonly<Record<string, number | string | null>>;

interface OfDevice {
  readonly userId: UserId;
  readonly deviceId: DeviceId;
}

const deviceEvent = (
  { userId, deviceId }: OfDevice,
  op: 'add' | 'update' | 'remove',
  changed: Changed = {},
): ClientEvent[] => [
  { type: 'device', audience: { kind: 'users', users: [userId] }, payload: { op, device_id: deviceId, ...changed } },
];

const isAsked = ({ type }: { readonly type: string }) => type === RegistrationAsked.type;
const isKeyChange = (event: {
  readonly type: string;
}): event is Extract<typeof event, { type: 'push.PushKeyChanged' }> => event.type === PushKeyChanged.type;

/** One request is one event, for key and token together (contract/push.md section 2). */
export const devicesFeed = defineFeed({
  name: 'devices',
  translations: [
    translate(DeviceAdded, ({ data }) => deviceEvent(data, 'add')),
    translate(DeviceRemoved, ({ data }) => deviceEvent(data, 'remove')),
    translate(PushKeyChanged, ({ data }, _, append) =>
      append.some(isAsked) ? [] : deviceEvent(data, 'update', { push_key_id: data.pushKeyId }),
    ),
    translate(RegistrationAsked, ({ data, at }, _, append) => {
      const key = append.find(isKeyChange) as { readonly data: { readonly pushKeyId: number } } | undefined;
      return deviceEvent(data, 'update', {
        ...(key && { push_key_id: key.data.pushKeyId }),
        pending_push_token_id: data.tokenId,
        push_token_last_updated_timestamp: unixSeconds(at),
        push_registration_error_code: null,
      });
    }),
    translate(RegistrationAccepted, ({ data }) =>
      deviceEvent(data, 'update', { push_token_id: data.tokenId, pending_push_token_id: null }),
    ),
    translate(RegistrationFailed, ({ data }) =>
      deviceEvent(data, 'update', { push_registration_error_code: data.code }),
    ),
    translate(TokenExpired, ({ data }) => deviceEvent(data, 'update', { push_token_id: null })),
    translate(RegistrationEnded, ({ data }) =>
      deviceEvent(data, 'update', {
        push_key_id: null,
        ...(data.hadToken && { push_token_id: null }),
        ...(data.wasPending && { pending_push_token_id: null }),
        push_token_last_updated_timestamp: null,
        ...(data.hadFailed && { push_registration_error_code: null }),
      }),
    ),
  ],
});

export const devicesPresenter = definePresenter<null>({
  type: 'device',
  load: () => Promise.resolve(null),
  present: ({ payload }) => [{ type: 'device', ...payload }],
  variant: () => 'all',
});
