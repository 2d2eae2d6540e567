import { Rejected, nullable, t } from '@annals/kernel/domain';
import { GroupSettingParam, givenSettings } from '@annals/realm/http';
import { BooleanParam, CustomParam, IntegerParam, WordParam, unquoted } from '@annals/web';
import type { ChannelProperties } from '../domain/channel/channel-input';
import type { TopicsPolicy } from '../domain/events';
import { TOPICS_POLICIES } from '../domain/events';
import { CHANNEL_SETTINGS } from '../domain/channel/settings';

/** Code points (contract/conventions.md section 7). */
export const MAX_CHANNEL_NAME_LENGTH = 60;
export const MAX_DESCRIPTION_LENGTH = 1024;

const MAX_DAYS = 0x7fff_ffff;

/** Parameters about a new channel that two endpoints share (contract/channels.md section 2). */
export class NewChannelParams {
  @BooleanParam() announce = false;
  @BooleanParam() invite_only = false;
  @BooleanParam() is_web_public = false;
  @BooleanParam() is_default_stream = false;
  @BooleanParam({ optional: true }) history_public_to_subscribers?: boolean;
  @IntegerParam({ optional: true }) folder_id?: number;
  @WordParam(TOPICS_POLICIES, { quoted: true }) topics_policy: TopicsPolicy = 'inherit';
  @CustomParam(nullable(t.Integer()), 'json', parseRetention, { optional: true, about: 'days, or one of two words' })
  message_retention_days?: number | null;
}

for (const name of CHANNEL_SETTINGS) GroupSettingParam()(NewChannelParams.prototype, name);

/** The channel properties in the parameters, without the name. */
export const toInput = (p: NewChannelParams): ChannelProperties => ({
  inviteOnly: p.invite_only,
  isWebPublic: p.is_web_public,
  isDefault: p.is_default_stream,
  historyPublicToSubscribers: p.history_public_to_subscribers ?? null,
  topicsPolicy: p.topics_policy,
  messageRetentionDays: p.message_retention_days ?? null,
  folderId: p.folder_id ?? null,
  settings: givenSettings(p, CHANNEL_SETTINGS),
});

/**
 * Days, `unlimited` (stored as -1) or `realm_default` (null), with or without JSON quotes.
 *
 * @throws Rejected REQUEST_VARIABLE_INVALID for anything else
 */
export function parseRetention(text: string, name: string): number | null {
  const value = unquoted(text.trim());
  if (value === 'realm_default') return null;
  if (value === 'unlimited') return -1;
  const days = /^[1-9]\d*$/.test(value) ? Number(value) : NaN;
  if (days >= 1 && days <= MAX_DAYS) return days;
  const extra = { var_name: name, bad_value: value };
  throw new Rejected('REQUEST_VARIABLE_INVALID', `Bad value for '${name}': ${value}`, extra);
}
