import { sameGroupSetting } from '@annals/kernel/domain';
import type { Channel } from '../../domain/channel/channel';
import type { ChannelEvent } from '../../domain/events';
import type { ChannelChange } from './channel-notices';

/**
 * The changes that subscribers of a channel are notified of (contract/channels.md section 5).
 *
 * @param before the channel
 */
export const noticesOf = (before: Channel, events: readonly ChannelEvent[]): ChannelChange[] =>
  events.flatMap((event) => noticeOf(before, event) ?? []);

function noticeOf(before: Channel, event: ChannelEvent): ChannelChange | undefined {
  switch (event.type) {
    case 'channels.ChannelRenamed':
      return { kind: 'name', before: before.name, after: event.sealed.name };
    case 'channels.ChannelDescribed':
      return { kind: 'description', before: before.description, after: event.sealed.description };
    case 'channels.PrivacyChanged':
      return { kind: 'privacy', before: event.data.previous, after: event.data.privacy };
    case 'channels.PermissionsChanged': {
      const [was, is] = [event.data.previous.can_send_message_group, event.data.settings.can_send_message_group];
      return sameGroupSetting(was, is) ? undefined : { kind: 'posting', before: was, after: is };
    }
    case 'channels.RetentionChanged':
      return { kind: 'retention', before: before.messageRetentionDays, after: event.data.messageRetentionDays };
    case 'channels.TopicsPolicyChanged':
      return { kind: 'topics policy', before: before.topicsPolicy, after: event.data.topicsPolicy };
    case 'channels.Archived':
      return { kind: 'archived' };
    case 'channels.Unarchived':
      return { kind: 'unarchived' };
    case 'channels.ChannelCreated':
    case 'channels.FolderChosen':
    case 'channels.DefaultChanged':
      return undefined;
  }
}
