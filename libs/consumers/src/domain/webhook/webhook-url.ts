import { reject } from '../rejections';

/** Characters of a URL, as many as browsers accept. */
const MAX_URL_LENGTH = 2_083;
const PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:']);

/** @throws Rejected BAD_WEBHOOK_URL for a text that is no URL of a web server */
export function ensureWebUrl(text: string): void {
  if (text.length > MAX_URL_LENGTH || /\s/.test(text) || !URL.canParse(text)) throw reject.badWebhookUrl();
  const { protocol, username, password } = new URL(text);
  if (!PROTOCOLS.has(protocol) || username !== '' || password !== '') throw reject.badWebhookUrl();
}
