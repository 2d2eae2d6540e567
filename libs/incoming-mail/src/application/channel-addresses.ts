import { ChannelEmails } from '@annals/channels';
import type { EmailedChannel } from '@annals/channels';
import { MailTokens } from '@annals/email-notifications';
import type { Actor, UserId } from '@annals/kernel/domain';
import type { MailedChannel } from '@annals/mail';
import { MailOptions, channelText, readChannel } from '@annals/mail';
import { Injectable } from '@nestjs/common';
import type { AddressOptions } from './address-parts';
import { channelPart, partsOf } from './address-parts';

/**
 * What the address of a channel stands for. It works while its creator may post there, and the sender is the creator or a bot of theirs.
 */
export interface ChannelAddress extends MailedChannel {
  readonly options: AddressOptions;
}

/**
 * Addresses of channels. Each belongs to a user, and is signed, so nobody can guess one. It is worth as much as the right of that user to
 * post there: whoever has it writes in the channel.
 */
@Injectable()
export class ChannelAddresses extends ChannelEmails {
  constructor(
    private readonly options: MailOptions,
    private readonly tokens: MailTokens,
  ) {
    super();
  }

  override async addressOf(by: Actor, channel: EmailedChannel, senderId: UserId | null): Promise<string> {
    if (this.options.pattern === null) return '';
    const named = { realmId: by.realmId, channelId: channel.id, creatorId: by.userId, senderId };
    const token = await this.tokens.sign(by.realmId, channelText(named));
    return this.options.incoming(channelPart(channel.name, token, this.options.room)) ?? '';
  }

  /** @returns null for a part that is no address of a channel */
  async resolve(part: string): Promise<ChannelAddress | null> {
    const { token, options } = partsOf(part);
    const named = readChannel(token);
    if (named === null || (await this.tokens.textOf(named.realmId, token)) === null) return null;
    return { ...named, options };
  }
}
