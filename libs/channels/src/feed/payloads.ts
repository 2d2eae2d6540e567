import type { Audience, ChannelId, ClientEvent, UserId } from '@annals/kernel/domain';
import type { Switch } from '../domain/personal-properties';

/** What `stream` events carry until they are delivered; names and settings are read then. */
export type ChannelPayload =
  | {
      readonly op: 'create';
      readonly channelIds: readonly ChannelId[];
      /** The next event names all subscribers, so that clients count them then (contract/channels.md section 2). */
      readonly isPeopledNext?: true;
    }
  | { readonly op: 'delete'; readonly channelIds: readonly ChannelId[] };

/** What `subscription` events carry. */
export type SubscriptionPayload =
  | { readonly op: 'add' | 'remove'; readonly channelIds: readonly ChannelId[] }
  | PropertyPayload
  | {
      readonly op: 'peer_add' | 'peer_remove';
      readonly channelIds: readonly ChannelId[];
      readonly userIds: readonly UserId[];
    }
  /** Somebody comes to know of the channel: everybody in it is new to them. */
  | { readonly op: 'peer_add'; readonly channelIds: readonly ChannelId[]; readonly userIds: 'all' };

/** Something its subscriber set, under its name on the wire. */
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
