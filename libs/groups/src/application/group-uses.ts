import type { Guard } from '@annals/kernel';
import type { ChannelId, GroupId, RealmId } from '@annals/kernel/domain';

/** Settings of a channel that name a group. */
export interface ChannelUse {
  readonly channelId: ChannelId;
  readonly settings: readonly string[];
}

/** The uses of a group. Groups do not know channels, so a context that knows both provides this. */
export abstract class GroupUses {
  /**
   * No active channel, and no other active group, has the group in a setting. The key is the group's id. A command that
   * writes a group into a setting declares it as changed.
   */
  abstract readonly unused: Guard;

  /** Channels that are not archived, ascending. */
  abstract inChannels(realmId: RealmId, group: GroupId): Promise<readonly ChannelUse[]>;
}
