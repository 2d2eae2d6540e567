import { ChannelFacts } from '@annals/channels';
import type { Actor } from '@annals/kernel/domain';
import { isBot, isGuest } from '@annals/kernel/domain';
import { UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { QueueOptions } from '../queues/client-queue';
import { parseTerm } from '../domain/narrow';

/** The events that a queue receives if its client named none (contract/realtime.md section 2). */
export type UsualQueue = Pick<QueueOptions, 'narrow' | 'allPublicStreams'>;

const EVERYTHING: UsualQueue = { narrow: [], allPublicStreams: false };

/** The defaults for queues of an account. Only bots have other defaults than all events that are for them. */
@Injectable()
export class UsualQueues {
  constructor(
    private readonly users: UserFacts,
    private readonly channels: ChannelFacts,
  ) {}

  async of(by: Actor): Promise<UsualQueue> {
    const bot = isBot(by) ? await this.users.account(by.realmId, by.userId) : undefined;
    if (!bot) return EVERYTHING;
    const channel = bot.eventsChannel === null ? undefined : await this.channels.byId(by.realmId, bot.eventsChannel);
    // A guest who asked for all public channels would be refused. A guest who did not ask does not receive them.
    const allPublicStreams = bot.allPublicChannels && !isGuest(by);
    return { narrow: channel ? [parseTerm('channel', channel.name)] : [], allPublicStreams };
  }
}
