import { nullable, t } from '@annals/kernel/domain';
import { GroupSettingChangeParam, givenChanges } from '@annals/realm/http';
import type { ChannelId } from '@annals/kernel/domain';
import { BooleanParam, CustomParam, IntegerParam, PathId, TextParam, WordParam } from '@annals/web';
import type { ChannelPatch } from '../domain/channel/change-channel';
import type { TopicsPolicy } from '../domain/events';
import { TOPICS_POLICIES } from '../domain/events';
import { CHANNEL_SETTINGS } from '../domain/channel/settings';
import { MAX_DESCRIPTION_LENGTH, MAX_CHANNEL_NAME_LENGTH, parseRetention } from './new-channel.params';

export class ChannelParams {
  @PathId() stream_id: ChannelId;
}

export class ChannelEmailParams extends ChannelParams {
  @IntegerParam({ optional: true }) sender_id?: number;
}

/** contract/channels.md section 5 */
export class ChangeChannelParams extends ChannelParams {
  @TextParam({ optional: true, trim: true, min: 1, max: MAX_CHANNEL_NAME_LENGTH, printable: true }) new_name?: string;
  @TextParam({ optional: true, max: MAX_DESCRIPTION_LENGTH }) description?: string;
  @BooleanParam({ optional: true }) is_private?: boolean;
  @BooleanParam({ optional: true }) is_web_public?: boolean;
  @BooleanParam({ optional: true }) history_public_to_subscribers?: boolean;
  @BooleanParam({ optional: true }) is_default_stream?: boolean;
  @BooleanParam({ optional: true, about: 'Only `false` acts: it takes the channel out of the archive.' })
  is_archived?: boolean;
  @CustomParam(nullable(t.Integer()), 'json', parseRetention, { optional: true, about: 'days, or one of two words' })
  message_retention_days?: number | null;
  @WordParam(TOPICS_POLICIES, { optional: true, quoted: true }) topics_policy?: TopicsPolicy;
  @IntegerParam({ optional: true, nullable: true, about: '`null` takes the channel out of its folder.' })
  folder_id?: number | null;
}

for (const name of CHANNEL_SETTINGS) GroupSettingChangeParam()(ChangeChannelParams.prototype, name);

/** The parameters as a patch for the domain. */
export function toChannelChange(p: ChangeChannelParams): ChannelPatch {
  return {
    ...(p.new_name !== undefined && { name: p.new_name }),
    ...(p.description !== undefined && { description: p.description }),
    ...(p.is_private !== undefined && { isPrivate: p.is_private }),
    ...(p.is_web_public !== undefined && { isWebPublic: p.is_web_public }),
    ...(p.history_public_to_subscribers !== undefined && {
      historyPublicToSubscribers: p.history_public_to_subscribers,
    }),
    ...(p.is_default_stream !== undefined && { isDefault: p.is_default_stream }),
    ...(p.is_archived === false && { isArchived: false as const }),
    ...(p.message_retention_days !== undefined && { messageRetentionDays: p.message_retention_days }),
    ...(p.topics_policy !== undefined && { topicsPolicy: p.topics_policy }),
    ...(p.folder_id !== undefined && { folderId: p.folder_id }),
    ...givenChanges(p, CHANNEL_SETTINGS),
  };
}
