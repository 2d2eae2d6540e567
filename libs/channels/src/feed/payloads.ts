import type { ChannelId, UserId } from '@annals/kernel/domain';

/** What `stream` events carry until they are delivered; names and settings are read then. */
export type ChannelPayload =
  | {
      readonly op: 'create';
      readonly channelIds: readonly ChannelId[];
      /** The next event names all subscribers, so that clients count them then (contract/channels.md section 2). */
      readonly isPeopledNext?: true;
    }
  | { readonly op: 'delete'; readonly channelIds: readonly ChannelId[] }
  | UpdatePayload;

/** One property of a channel has another value; words among the values are read when the event is delivered. */
export interface UpdatePayload {
  readonly op: 'update';
  readonly channelId: ChannelId;
  /** Under its name on the wire. */
  readonly property: string;
  readonly value?: boolean | number | null;
}

/** What `subscription` events carry. */
export type SubscriptionPayload =
  | { readonly op: 'add'; readonly channelIds: readonly ChannelId[] }
  | {
      readonly op: 'peer_add' | 'peer_remove';
      readonly channelIds: readonly ChannelId[];
      readonly userIds: readonly UserId[];
    }
  /** Somebody comes to know of the channel: everybody in it is new to them. */
  | { readonly op: 'peer_add'; readonly channelIds: readonly ChannelId[]; readonly userIds: 'all' };
