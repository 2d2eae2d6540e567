import { ChannelEmails } from '@annals/channels';
import type { EmailedChannel } from '@annals/channels';
import { MailTokens } from '@annals/email-notifications';
import type { Actor, ChannelId, RealmId, UserId } from '@annals/kernel/domain';
import { MailOptions } from '@annals/mail';
import { Injectable } from '@nestjs/common';
import type { AddressOptions } from '../domain/address-parts';
import { channelPart, partsOf } from '../domain/address-parts';

/** What the address of a channel stands for. */
export interface ChannelAddress {
  readonly realmId: RealmId;
  readonly channelId: ChannelId;
  /** Who got the address. It works while they may post there. */
  readonly creatorId: UserId;
  /** Who sends the message: the creator or a bot of theirs. Null for the bot of the gateway. */
  readonly senderId: UserId | null;
  readonly options: AddressOptions;
}

const TOKEN = /^c([0-9a-z]{1,6})\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.\d\.[a-z2-7]{26}$/;
const GATEWAY = 0;
/** How the numbers of a token are written. */
const RADIX = 36;
const VERSION = 1;
const MAX_REALM = 0x7fff_ffff;

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
    const numbers = [by.realmId, channel.id, by.userId, senderId ?? GATEWAY].map((id) => id.toString(RADIX));
    const token = await this.tokens.sign(by.realmId, `c${numbers.join('.')}.${VERSION}`);
    return this.options.incoming(channelPart(channel.name, token)) ?? '';
  }

  /** @returns null for a part that is no address of a channel */
  async resolve(part: string): Promise<ChannelAddress | null> {
    const { token, options } = partsOf(part);
    const [, ...numbers] = TOKEN.exec(token) ?? [];
    const [realmId = 0, channelId = 0, creatorId = 0, senderId = 0] = numbers.map((one) => parseInt(one, RADIX));
    if (realmId === 0 || realmId > MAX_REALM) return null;
    if ((await this.tokens.textOf(realmId as RealmId, token)) === null) return null;
    return {
      realmId: realmId as RealmId,
      channelId: channelId as ChannelId,
      creatorId: creatorId as UserId,
      senderId: senderId === GATEWAY ? null : (senderId as UserId),
      options,
    };
  }
}
