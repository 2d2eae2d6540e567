import type { Work } from '@annals/kernel';
import type { ChannelId, GroupSetting } from '@annals/kernel/domain';

/**
 * Answers whether what settings name is there. The organization knows neither accounts, groups nor channels; a context
 * that knows them provides this.
 */
export abstract class SettingReferences {
  /** @throws Rejected BAD_REQUEST unless all groups and people of the value exist and are active; `work` rests on it */
  abstract ensureGroupValue(work: Work, value: GroupSetting): Promise<void>;

  /** What a caller may take present values to be: as they are, or as they are shown, without those who left. */
  abstract expectation(
    work: Work,
    present: readonly GroupSetting[],
  ): Promise<(expected: GroupSetting, present: GroupSetting) => boolean>;

  /** @throws Rejected BAD_REQUEST unless the actor can see such a channel, and it is in use; `work` rests on it */
  abstract ensureChannel(work: Work, channel: ChannelId): Promise<void>;
}
