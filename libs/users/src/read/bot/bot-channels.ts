import type { Work } from '@annals/kernel';
import type { ChannelId, RealmId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';

/** Names of channels by id; ids of none are left out. */
export type ReadChannelNames = (
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly ChannelId[],
) => Promise<ReadonlyMap<ChannelId, string>>;

/**
 * The channels in which bots send and listen where they do not say so themselves (contract/users.md section 7). Accounts
 * know no channels; a context that does provides this.
 */
export abstract class BotChannels {
  /**
   * The channel of this name in any letter case.
   *
   * @throws Rejected BAD_REQUEST unless there is one in use whose messages the actor may read; `work` rests on it
   */
  abstract named(work: Work, name: string): Promise<ChannelId>;

  abstract namesOf(realmId: RealmId, ids: readonly ChannelId[]): Promise<ReadonlyMap<ChannelId, string>>;
}
