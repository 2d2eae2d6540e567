/** Hexadecimal digits of a pad: two for each character of a key. */
const LENGTH = 64;

/** Whether an app may send this as `mobile_flow_otp` or `desktop_flow_otp`. */
export const isOneTimePad = (text: string): boolean => text.length === LENGTH && /^[0-9a-f]*$/i.test(text);

/**
 * A key of 32 characters, hidden from other apps of the phone that may receive the same link: only the app that made the pad can read
 * it.
 *
 * @param pad of `isOneTimePad`
 * @returns 64 hexadecimal digits
 */
export function padded(key: string, pad: string): string {
  const bytes = Buffer.from(key, 'ascii');
  const mask = Buffer.from(pad, 'hex');
  if (bytes.length !== mask.length) throw new Error('a key and its pad have the same length');
  return Buffer.from(bytes.map((byte, at) => byte ^ (mask[at] ?? 0))).toString('hex');
}
