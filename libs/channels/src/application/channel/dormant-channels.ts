import type { FactCache, Work } from '@annals/kernel';
import { Kernel, WorkState } from '@annals/kernel';
import type { ChannelId, RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { fact } from '@annals/kernel/domain';
import { activityStream } from '../../domain/channel/activity';
import { ActivityCounted, ActivityResumed } from '../../domain/events';
import { readDormantChannels } from '../../read/channel/activity';
import { stillDormant } from '../guards';

const ALL = 'dormant';

/** Channels that a unit of work has made active again. It may add several messages to one. */
const WOKEN = new WorkState(() => new Set<ChannelId>());

/** The channels that no longer count as recently active, cached in the process, so that a send needs no query. */
@Injectable()
export class DormantChannels {
  private readonly dormant: FactCache<ReadonlySet<ChannelId>>;

  constructor(kernel: Kernel) {
    this.dormant = kernel.facts<ReadonlySet<ChannelId>>({
      touched: ({ type }) => (type === ActivityCounted.type || type === ActivityResumed.type ? [ALL] : []),
      load: async (realmId) => new Map([[ALL, await readDormantChannels(kernel.database.pool, realmId)]]),
    });
  }

  /** Makes the channel count as recently active from now on, if it did not. For commands that add a message to it. */
  async wake(work: Work, channel: ChannelId): Promise<void> {
    if (!(await this.in(work.realmId)).has(channel)) return;
    const woken = work.state(WOKEN);
    if (woken.has(channel)) return;
    woken.add(channel);
    work.guard(stillDormant, channel);
    work.changesGuard(stillDormant, channel);
    work.append(activityStream(channel), [fact(ActivityResumed, { channelId: channel })]);
  }

  private async in(realmId: RealmId): Promise<ReadonlySet<ChannelId>> {
    return (await this.dormant.get(realmId, ALL)) ?? NONE;
  }
}

const NONE: ReadonlySet<ChannelId> = new Set();
