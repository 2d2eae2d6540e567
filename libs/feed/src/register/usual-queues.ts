import { ChannelFacts } from '@annals/channels';
import type { Actor } from '@annals/kernel/domain';
import { isBot, isGuest } from '@annals/kernel/domain';
import { UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { QueueWish } from '../queues/client-queue';
import { parseTerm } from '../domain/narrow';

/** What a queue hears whose client did not say (contract/realtime.md section 2). */
export type UsualQueue = Pick<QueueWish, 'narrow' | 'allPublicStreams'>;

const EVERYTHING: UsualQueue = { narrow: [], allPublicStreams: false };

/** Says what the queues of somebody hear by default; only bots are given anything else than everything that is theirs. */
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
    // A guest that asked for all public channels would be refused; one that did not ask is only not given them.
    const allPublicStreams = bot.allPublicChannels && !isGuest(by);
    return { narrow: channel ? [parseTerm('channel', channel.name)] : [], allPublicStreams };
  }
}
