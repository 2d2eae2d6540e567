import type { Work } from '@annals/kernel';
import type { ChannelId, RealmId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';

/** Names of channels by id. Unknown ids are left out. */
export type ReadChannelNames = (
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly ChannelId[],
) => Promise<ReadonlyMap<ChannelId, string>>;

/**
 * The default channels of bots (contract/users.md section 7). Accounts know no channels, so a context that does
 * provides this.
 */
export abstract class BotChannels {
  /**
   * The channel with this name in any letter case. `work` depends on it.
   *
   * @throws Rejected BAD_REQUEST unless there is an active one whose messages the actor may read
   */
  abstract named(work: Work, name: string): Promise<ChannelId>;

  abstract namesOf(realmId: RealmId, ids: readonly ChannelId[]): Promise<ReadonlyMap<ChannelId, string>>;
}
