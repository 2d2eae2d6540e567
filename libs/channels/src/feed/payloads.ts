import type { Audience, ChannelId, ClientEvent, GroupSetting, UserId } from '@annals/kernel/domain';
import type { ChannelSetting } from '../domain/channel/settings';
import type { Switch } from '../domain/subscription/personal-properties';
import type { ForClients } from './channel/archived';

/** The payload of `stream` events before delivery. Names and settings are read at delivery. */
export type ChannelPayload = ForClients &
  (
    | {
        readonly op: 'create';
        readonly channelIds: readonly ChannelId[];
        /** The next event lists all subscribers, so that clients count them then (contract/channels.md section 2). */
        readonly isPeopledNext?: true;
      }
    | { readonly op: 'delete'; readonly channelIds: readonly ChannelId[] }
    | {
        readonly op: 'update';
        readonly channelId: ChannelId;
        readonly property: Property;
        /** Left out if it is a text. */
        readonly value?: number | string | boolean | null;
        /** Of a permission. */
        readonly setting?: { readonly from: GroupSetting; readonly to: GroupSetting };
        readonly historyPublicToSubscribers?: boolean;
        readonly isWebPublic?: boolean;
      }
  );

/** Names in the API (contract/channels.md section 5.1). */
export type Property =
  | 'name'
  | 'description'
  | 'invite_only'
  | 'message_retention_days'
  | 'topics_policy'
  | 'folder_id'
  | 'is_archived'
  | 'first_message_id'
  | 'is_recently_active'
  | 'stream_weekly_traffic'
  | ChannelSetting;

/** The payload of `subscription` events. */
export type SubscriptionPayload = ForClients &
  (
    | { readonly op: 'add' | 'remove'; readonly channelIds: readonly ChannelId[] }
    | PropertyPayload
    | {
        readonly op: 'peer_add' | 'peer_remove';
        readonly channelIds: readonly ChannelId[];
        readonly userIds: readonly UserId[];
      }
    /** A user comes to know of the channel: everybody in it is new to them. */
    | { readonly op: 'peer_add'; readonly channelIds: readonly ChannelId[]; readonly userIds: 'all' }
  );

/** A property that the subscriber set, under its name in the API. */
export interface PropertyPayload {
  readonly op: 'update';
  readonly channelId: ChannelId;
  readonly property: Switch | 'color' | 'in_home_view';
  readonly value: string | boolean;
}

export const channelEvent = (payload: ChannelPayload, audience: Audience): ClientEvent => ({
  type: 'stream',
  audience,
  payload: { ...payload },
});

export const subscriptionEvent = (payload: SubscriptionPayload, audience: Audience): ClientEvent => ({
  type: 'subscription',
  audience,
  payload: { ...payload },
});
