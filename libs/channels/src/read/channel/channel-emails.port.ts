import type { Actor, ChannelId, UserId } from '@annals/kernel/domain';

/** A channel that mails can be sent to. */
export interface EmailedChannel {
  readonly id: ChannelId;
  readonly name: string;
}

/** Gives channels addresses for mail. The context that receives mail provides it. */
export abstract class ChannelEmails {
  /**
   * The address by which an account writes in a channel. Empty if the server receives no mail.
   *
   * @param senderId who sends the message: the account or a bot of theirs. Null for a bot of the server
   */
  abstract addressOf(by: Actor, channel: EmailedChannel, senderId: UserId | null): Promise<string>;
}
