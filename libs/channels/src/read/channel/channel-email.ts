import type { Actor, ChannelId, UserId } from '@annals/kernel/domain';
import { permits } from '@annals/kernel/domain';
import { UserFacts } from '@annals/users';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { seesContent } from '../../domain/channel/access';
import { reject } from '../../domain/rejections';
import { ChannelEmails } from './channel-emails.port';
import { ChannelFacts } from './channel-facts';

/** The email address of a channel, for users who may post there. Empty if the server receives no mail. */
export class FindChannelEmail extends Query<string> {
  constructor(
    readonly by: Actor,
    readonly channelId: ChannelId,
    /** The sender of the mail's message: the actor, or a bot of theirs. Null for the server's own. */
    readonly senderId: number | null,
  ) {
    super();
  }
}

@QueryHandler(FindChannelEmail)
export class FindChannelEmailHandler implements IQueryHandler<FindChannelEmail> {
  constructor(
    private readonly channels: ChannelFacts,
    private readonly users: UserFacts,
    private readonly emails: ChannelEmails,
  ) {}

  async execute({ by, channelId, senderId }: FindChannelEmail): Promise<string> {
    const channel = await this.channels.byId(by.realmId, channelId);
    const own = await this.channels.subscribedBy(by.realmId, by.userId);
    if (!channel || !seesContent(channel, by, own.has(channelId))) throw reject.unknownChannel();
    if (!permits(channel.settings.can_send_message_group, by, { guests: true })) throw reject.mayNotPost();
    if (senderId !== null && !(await this.speaksFor(by, senderId))) throw reject.notYourBot();
    return this.emails.addressOf(by, channel, senderId as UserId | null);
  }

  private async speaksFor(by: Actor, sender: number): Promise<boolean> {
    if (sender === by.userId) return true;
    const account = await this.users.account(by.realmId, sender);
    return account?.isActive === true && account.botOwnerId === by.userId;
  }
}
