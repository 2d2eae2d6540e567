import { reject } from '../rejections';

/** What a secret of Standard Webhooks begins with. */
export const SECRET_PREFIX = 'whsec_';
/** As many bytes as Standard Webhooks wants. */
const [MIN_BYTES, MAX_BYTES] = [24, 64];

/** @throws Rejected BAD_REQUEST for a text that is no secret of Standard Webhooks. The text is not in the refusal */
export function ensureSecret(text: string): void {
  const encoded = text.startsWith(SECRET_PREFIX) ? text.slice(SECRET_PREFIX.length) : '';
  const bytes = Buffer.from(encoded, 'base64');
  const isCanonical = bytes.toString('base64') === encoded;
  if (!isCanonical || bytes.length < MIN_BYTES || bytes.length > MAX_BYTES) throw reject.badSecret();
}
