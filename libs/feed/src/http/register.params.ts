import { parseSubscriberInclusion } from '@annals/channels/http';
import type { ClientCapabilities } from '@annals/kernel';
import { Rejected, t } from '@annals/kernel/domain';
import { BooleanParam, CustomParam, IntegerParam, JsonParam, parseInteger, unquoted } from '@annals/web';
import type { QueueNarrowTerm } from '../domain/narrow';
import type { Registration } from '../register/register';
import { parseTerm } from '../domain/narrow';
import type { UsualQueue } from '../register/usual-queues';

const IDLE_DEFAULT = 600;
const IDLE_MOBILE = 43_200;
const IDLE_MAX = 604_800;

const CAPABILITIES = [
  'notification_settings_null',
  'bulk_message_deletion',
  'user_avatar_url_field_optional',
  'stream_typing_notifications',
  'user_settings_object',
  'linkifier_url_template',
  'user_list_incomplete',
  'include_deactivated_groups',
  'archived_channels',
  'empty_topic_name',
  'simplified_presence_events',
  'individual_emoji_changes',
] as const satisfies readonly (keyof ClientCapabilities)[];

const names = t.Array(t.String({ maxLength: 100 }), { maxItems: 500 });
const narrowTerm = t.Union([
  t.Tuple([t.String(), t.String()]),
  t.Object({ operator: t.String(), operand: t.String(), negated: t.Optional(t.Literal(false)) }),
]);
const capabilities = t.Object(Object.fromEntries(CAPABILITIES.map((name) => [name, t.Optional(t.Boolean())])), {
  additionalProperties: true,
});

/** Seconds or `"mobile"`, with or without quotes. 0 is the default, and a week is the maximum. */
function decodeIdleTimeout(text: string, name: string): number {
  if (unquoted(text.trim()) === 'mobile') return IDLE_MOBILE;
  const seconds = parseInteger(text, name);
  if (seconds < 0) throw new Rejected('BAD_REQUEST', `${name} is too small`);
  return seconds === 0 ? IDLE_DEFAULT : Math.min(seconds, IDLE_MAX);
}

/** Parameters of POST /register (contract/realtime.md section 2). */
export class RegisterParams {
  @BooleanParam() apply_markdown = false;
  @BooleanParam() client_gravatar = true;
  @CustomParam(t.Union([t.Boolean(), t.Literal('partial')]), 'json', parseSubscriberInclusion)
  include_subscribers: boolean | 'partial' = false;
  @BooleanParam() slim_presence = false;
  @IntegerParam({ min: 0 }) presence_history_limit_days = 14;
  @JsonParam(names, { optional: true }) event_types?: string[];
  @JsonParam(names, { optional: true }) fetch_event_types?: string[];
  @BooleanParam({ optional: true, about: 'What a bot has by default, otherwise false.' }) all_public_streams?: boolean;
  @JsonParam(t.Array(narrowTerm, { maxItems: 100 }))
  narrow: ([string, string] | { operator: string; operand: string })[] = [];
  @JsonParam(capabilities) client_capabilities: Partial<ClientCapabilities> = {};
  @CustomParam(t.Union([t.Integer(), t.Literal('mobile')]), 'json', decodeIdleTimeout, {
    aliases: ['queue_lifespan_secs'],
  })
  idle_queue_timeout = IDLE_DEFAULT;
}

/** @param usual for what the request leaves out @throws Rejected for a narrow that queues do not support */
export const registrationOf = (p: RegisterParams, usual: UsualQueue): Registration => ({
  eventTypes: p.event_types ?? null,
  fetchEventTypes: p.fetch_event_types ?? null,
  narrow: p.narrow.length === 0 ? usual.narrow : p.narrow.map(termOf),
  allPublicStreams: p.all_public_streams ?? usual.allPublicStreams,
  applyMarkdown: p.apply_markdown,
  clientGravatar: p.client_gravatar,
  includeSubscribers: p.include_subscribers,
  slimPresence: p.slim_presence,
  presenceHistoryLimitDays: p.presence_history_limit_days,
  capabilities: Object.fromEntries(
    CAPABILITIES.map((name) => [name, p.client_capabilities[name] ?? false]),
  ) as unknown as ClientCapabilities,
  idleQueueTimeout: p.idle_queue_timeout,
});

const termOf = (term: RegisterParams['narrow'][number]): QueueNarrowTerm =>
  Array.isArray(term) ? parseTerm(term[0], term[1]) : parseTerm(term.operator, term.operand);
