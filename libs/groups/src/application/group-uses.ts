import type { Guard } from '@annals/kernel';
import type { ChannelId, GroupId, RealmId } from '@annals/kernel/domain';

/** Settings of a channel that name a group. */
export interface ChannelUse {
  readonly channelId: ChannelId;
  readonly settings: readonly string[];
}

/** Answers what uses a group. Groups do not know channels; a context that knows both provides this. */
export abstract class GroupUses {
  /**
   * No channel that is not archived, and no other active group, names the group in a setting; key is the group's id.
   * Whoever writes a group into a setting declares it as changed.
   */
  abstract readonly unused: Guard;

  /** Channels that are not archived, ascending. */
  abstract inChannels(realmId: RealmId, group: GroupId): Promise<readonly ChannelUse[]>;
}
