import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { randomBytes } from 'node:crypto';
import type { ActiveDevice } from '../read/devices';
import type { PushRequest } from './bouncer';

const NONCE_BYTES = 24;

/** The priority of a notification: a message alerts the user, a removal of notifications does not. */
export type Loudness = 'rings' | 'silent';

/**
 * A notification that only the device can read (contract/push.md section 3): XSalsa20-Poly1305, a random nonce before the
 * tag and the text.
 */
export function encryptedFor(device: ActiveDevice, payload: object, loudness: Loudness): PushRequest {
  const { serviceDeviceId: device_id, keyId, key, kind } = device;
  const nonce = randomBytes(NONCE_BYTES);
  const locked = xsalsa20poly1305(key.subarray(1), nonce).encrypt(Buffer.from(JSON.stringify(payload)));
  const encrypted_data = Buffer.concat([nonce, locked]).toString('base64');
  const rings = loudness === 'rings';
  if (kind === 'fcm') {
    // FCM sends texts only.
    const carried = { push_key_id: String(keyId), encrypted_data };
    return { device_id, fcm_priority: rings ? 'high' : 'normal', payload: carried };
  }
  const aps = rings
    ? { 'mutable-content': 1, alert: { title: 'New notification' }, sound: 'default' }
    : { 'content-available': 1 };
  return {
    device_id,
    http_headers: { apns_priority: rings ? 10 : 5, apns_push_type: rings ? 'alert' : 'background' },
    payload: { push_key_id: keyId, encrypted_data, aps },
  };
}
