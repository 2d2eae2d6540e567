import type { PastSnapshot } from '@annals/kernel';
import { Past } from '@annals/kernel';
import type { ChannelId, UserId } from '@annals/kernel/domain';
import type { AsOf } from '@annals/realm';
import { RealmFacts } from '@annals/realm';
import { UserAccess, readUsers } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { reject } from '../../domain/rejections';
import { subscribersOf } from '../subscription/subscribers';
import type { AskedChannels, ChannelSource, ListedChannel } from './list-channels';
import { listPlainChannels } from './list-channels';
import type { ChannelList } from './present-channel';
import { plainFigures } from './present-channel';

const ALL: AskedChannels = { sources: ['visible'], only: null };

/**
 * Channels and their subscribers as they were at a moment, of channels that the viewer could see then and can see today
 * (contract/audit.md section 4.1). A refusal is the same as that of a channel that does not exist.
 */
@Injectable()
export class PastChannels {
  constructor(
    private readonly past: Past,
    private readonly realms: RealmFacts,
    private readonly userAccess: UserAccess,
  ) {}

  list(
    asOf: AsOf,
    sources: readonly ChannelSource[],
    { excludeArchived }: { readonly excludeArchived: boolean },
  ): Promise<ChannelList> {
    return this.past.read(asOf, async (snapshot) => {
      const all = await seenBoth(snapshot, asOf, { sources, only: null });
      return this.withFigures(snapshot, asOf, excludeArchived ? all.filter(({ isArchived }) => !isArchived) : all);
    });
  }

  /** @throws Rejected BAD_REQUEST */
  one(asOf: AsOf, channelId: ChannelId): Promise<ChannelList> {
    return this.past.read(asOf, async (snapshot) =>
      this.withFigures(snapshot, asOf, [await seenChannel(snapshot, asOf, channelId)]),
    );
  }

  /** Ids ascending, without deactivated accounts. @throws Rejected BAD_REQUEST */
  subscribers(asOf: AsOf, channelId: ChannelId): Promise<readonly UserId[]> {
    return this.past.read(asOf, async (snapshot) => {
      await seenChannel(snapshot, asOf, channelId);
      return (await subscribersOf(snapshot.then, asOf.realmId, [channelId])).get(channelId) ?? [];
    });
  }

  /**
   * Ids of the channels of an account, ascending, without archived ones.
   *
   * @throws Rejected BAD_REQUEST for an account that was not active then, or that the viewer could not or cannot see
   */
  subscribedBy(asOf: AsOf, userId: UserId): Promise<readonly ChannelId[]> {
    return this.past.read(asOf, async (snapshot) => {
      if (!(await this.seesAccount(snapshot, asOf, userId))) throw reject.unknownPrincipal();
      const { rows } = await snapshot.then.query<{ id: ChannelId }>({
        text: `SELECT channel_id AS id FROM view.memberships
          WHERE realm_id = $1 AND user_id = $2 AND to_position IS NULL ORDER BY channel_id`,
        values: [asOf.realmId, userId],
      });
      const seen = await seenBoth(snapshot, asOf, ALL);
      const open = new Set(seen.filter(({ isArchived }) => !isArchived).map(({ id }) => id));
      return rows.map(({ id }) => id).filter((id) => open.has(id));
    });
  }

  private async seesAccount({ thenOnly, now }: PastSnapshot, { realmId, viewer, today }: AsOf, userId: UserId) {
    const then = thenOnly({ users: { column: 'user_id', values: [userId] } });
    const [account] = await readUsers(then, realmId, [userId]);
    if (!viewer || !account?.isActive) return false;
    const hidden = await this.userAccess.inaccessibleIn(then, viewer, [userId]);
    const hiddenToday = today ? await this.userAccess.inaccessibleIn(now, today, [userId]) : [];
    return ![...hidden, ...hiddenToday].includes(userId);
  }

  private async withFigures({ then }: PastSnapshot, { realmId }: AsOf, channels: readonly ListedChannel[]) {
    const { systemGroups } = await this.realms.of(realmId);
    return { channels, figures: await plainFigures(then, realmId, channels, systemGroups) };
  }
}

/** The channels as they were that the viewer could see then, and can see today. */
async function seenBoth(
  { then, now }: PastSnapshot,
  { viewer, today }: AsOf,
  asked: AskedChannels,
): Promise<ListedChannel[]> {
  if (!viewer) return [];
  const channels = await listPlainChannels(then, viewer, asked);
  if (!today) return channels;
  const seen = await listPlainChannels(now, today, { sources: ['visible'], only: asked.only });
  const ids = new Set(seen.map(({ id }) => id));
  return channels.filter(({ id }) => ids.has(id));
}

async function seenChannel(snapshot: PastSnapshot, asOf: AsOf, only: ChannelId): Promise<ListedChannel> {
  const [channel] = await seenBoth(snapshot, asOf, { sources: ['visible'], only });
  if (!channel) throw reject.unknownChannel();
  return channel;
}
