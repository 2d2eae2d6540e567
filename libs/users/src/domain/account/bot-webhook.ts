import type { BotType, UserId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import type { BotWebhookChanged as Changed } from '../events';
import { BotWebhookChanged } from '../events';
import { reject } from '../rejections';
import type { Account } from './account';
import { isActive } from './account-parts';
import type { WebhookFormat } from './webhook-formats';
import { formatWithNumber } from './webhook-formats';

const OUTGOING_WEBHOOK: BotType = 3;
/** Characters of a URL, as many as browsers accept. */
const MAX_URL_LENGTH = 2_083;
const PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:']);

/** Where the server sends what users ask a bot. */
export interface BotWebhook {
  /** Empty while none was chosen, and after it was erased. */
  readonly url: string;
  readonly format: WebhookFormat;
}

/** What a request says about the webhook of a bot. What is left out keeps its value. */
export interface WebhookInput {
  readonly url?: string | undefined;
  /** The number of the format in the API. */
  readonly format?: number | undefined;
}

/** The webhook of a bot; null for bots of other types. */
export const botWebhookAggregate = defineAggregate<BotWebhook | null, Changed, UserId>(
  'bot-webhook',
  null,
  (_, { data, sealed }) => ({ format: data.format, url: sealed === 'erased' ? '' : sealed.url }),
);

/**
 * The webhook of a new bot; null for bots of other types. Without a URL nothing can be sent until there is one.
 *
 * @throws Rejected BAD_REQUEST for a text that is no URL of a web server, and an unknown format; whatever the type is
 */
export function requestedWebhook(type: BotType, input: WebhookInput): BotWebhook | null {
  const { url = '', format = 'generic' } = checked(input, 'payload_url');
  return type === OUTGOING_WEBHOOK ? { url, format } : null;
}

/** Chooses the webhook of a new bot. */
export const chooseWebhook = (bot: Account, webhook: BotWebhook): Changed[] => [changed(bot, webhook)];

/**
 * Changes the webhook of a bot; equal values change nothing.
 *
 * @throws Rejected BAD_REQUEST as for a new bot, and for a bot of another type
 */
export function changeWebhook(state: BotWebhook | null, bot: Account, input: WebhookInput): Changed[] {
  const { url, format } = checked(input, 'service_payload_url');
  if (url === undefined && format === undefined) return [];
  if (!state) throw reject.noWebhook();
  const webhook = { url: url ?? state.url, format: format ?? state.format };
  return webhook.url === state.url && webhook.format === state.format ? [] : [changed(bot, webhook)];
}

const changed = (bot: Account, { url, format }: BotWebhook): Changed => {
  const { userId, botOwnerId } = bot;
  return fact(BotWebhookChanged, { userId, botOwnerId, isActive: isActive(bot), format }, { url });
};

function checked({ url, format: number }: WebhookInput, parameter: string): Partial<BotWebhook> {
  if (url !== undefined && !isWebUrl(url)) throw reject.badWebhookUrl({ parameter });
  if (number === undefined) return url === undefined ? {} : { url };
  const format = formatWithNumber(number);
  if (!format) throw reject.unknownWebhookFormat();
  return url === undefined ? { format } : { url, format };
}

function isWebUrl(text: string): boolean {
  if (text.length > MAX_URL_LENGTH || /\s/.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  // The client that sends requests for users takes no logins in URLs.
  return PROTOCOLS.has(protocol) && username === '' && password === '';
}
