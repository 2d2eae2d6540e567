import type { Work } from '@annals/kernel';
import type { ChannelId, GroupSetting } from '@annals/kernel/domain';

/**
 * Checks that the references of settings exist. The organization knows neither accounts, groups nor channels, so a
 * context that knows them provides this.
 */
export abstract class SettingReferences {
  /**
   * `work` depends on the value.
   *
   * @throws Rejected BAD_REQUEST unless all groups and users of the value exist and are active
   */
  abstract ensureGroupValue(work: Work, value: GroupSetting): Promise<void>;

  /** The values that a caller may expect: as stored, or as presented, without deactivated users. */
  abstract expectation(
    work: Work,
    present: readonly GroupSetting[],
  ): Promise<(expected: GroupSetting, present: GroupSetting) => boolean>;

  /**
   * `work` depends on the channel.
   *
   * @throws Rejected BAD_REQUEST unless the channel is active and the actor can see it
   */
  abstract ensureChannel(work: Work, channel: ChannelId): Promise<void>;
}
