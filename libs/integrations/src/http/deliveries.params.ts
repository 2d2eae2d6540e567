import type { Actor, Instant } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import type { RequestInfo } from '@annals/web';
import { BooleanParam, JsonParam, PathText, TextParam, checkText } from '@annals/web';
import type { DeliveryPlace } from '../application/post-delivery';
import type { IncomingDelivery, Integration } from '../domain/integration';
import { URL_OPTIONS } from '../domain/integrations';
import type { EventFilter } from '../domain/shared/event-filter';

const MAX_PATTERNS = 100;
const PATTERNS = t.Array(t.String({ maxLength: 100 }), { maxItems: MAX_PATTERNS });
const MAX_OPTION = 1_000;
const TOPIC = { trim: true, printable: true } as const;
const DECIMAL = /^\d{1,15}$/;

/** What a URL says, beside the options of integrations, which are declared below. */
export class DeliveryParams {
  @PathText() integration: string;
  @TextParam({ about: 'The key of an incoming webhook bot.' }) api_key: string;
  @TextParam({ optional: true, about: 'A channel by id or name. Left out: a direct message to the owner of the bot.' })
  stream?: string;
  @TextParam({ optional: true, ...TOPIC, about: 'Instead of the topic of the message.' }) topic?: string;
  @JsonParam(PATTERNS, { optional: true, about: 'Patterns of event types. Other events make no message.' })
  only_events?: string[];
  @JsonParam(PATTERNS, { optional: true, about: 'Patterns of event types that make no message.' })
  exclude_events?: string[];
}

for (const { name, label, kind } of URL_OPTIONS) {
  const declare =
    kind === 'flag'
      ? BooleanParam({ optional: true, about: label })
      : TextParam({ optional: true, max: MAX_OPTION, about: label });
  declare(DeliveryParams.prototype, name);
}

export const filterOf = ({ only_events: only, exclude_events: exclude }: DeliveryParams): EventFilter => ({
  only: only ?? null,
  exclude: exclude ?? [],
});

/** The options of this integration that the URL has. */
function optionsOf({ options }: Integration, p: DeliveryParams): IncomingDelivery['options'] {
  const values = p as unknown as Readonly<Record<string, string | boolean | undefined>>;
  return Object.fromEntries(options.flatMap(({ name }) => (values[name] === undefined ? [] : [[name, values[name]]])));
}

export const deliveryOf = (
  integration: Integration,
  p: DeliveryParams,
  payload: unknown,
  info: RequestInfo,
  at: Instant,
): IncomingDelivery => ({
  payload,
  header: (name) => info.header(name),
  options: optionsOf(integration, p),
  hasTopic: p.topic !== undefined,
  at,
});

/** A channel by its id is all digits. */
export function placeOf({ escapesTwice }: Integration, { stream, topic }: DeliveryParams): DeliveryPlace {
  const decode = (text: string) => (escapesTwice ? decodedOnceMore(text) : text);
  const channel = stream === undefined ? null : decode(stream).trim();
  return {
    channel: channel !== null && DECIMAL.test(channel) ? Number(channel) : channel,
    topic: topic === undefined ? null : checkText(decode(topic), 'topic', TOPIC),
  };
}

function decodedOnceMore(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The account with the name of the client that messages show. */
export const asClient = ({ caller }: Integration, by: Actor): Actor => ({
  ...by,
  origin: { ...by.origin, client: `Zulip${caller}Webhook` },
});
