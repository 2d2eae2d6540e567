import { Kernel } from '@annals/kernel';
import type { MessageId, RealmId, UserId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import type { MessageRow } from '@annals/messages';
import { loadMessages } from '@annals/messages';
import type { NotificationReason } from '@annals/push';
import { NotificationReasons, RecipientReader } from '@annals/push';
import { Injectable } from '@nestjs/common';
import { EMAIL_RECIPIENTS, emailWishes } from '../read/email-recipients';
import type { MissedMessage } from './missed-message-rows';

/** Messages that are read together. */
const AT_ONCE = 50;

/** A missed message that a user still wants a mail about. */
export interface WantedMessage extends MissedMessage {
  readonly message: MessageRow;
  readonly reason: NotificationReason;
}

/** Decides which missed messages are still worth a mail. */
@Injectable()
export class MissedMessages {
  private readonly recipients = new RecipientReader(EMAIL_RECIPIENTS);

  constructor(
    private readonly kernel: Kernel,
    private readonly reasons: NotificationReasons,
  ) {}

  /**
   * Those of some missed messages for which the rules still hold, in their order: the message exists, the user has not read it, can see
   * it, and wants mails about it by the settings and mutes of this moment. Call it after the fence.
   */
  async wanted(realmId: RealmId, missed: readonly MissedMessage[]): Promise<WantedMessage[]> {
    const usersOf = grouped(missed, ({ messageId }) => messageId);
    const found = new Map<string, WantedMessage>();
    const ids = [...usersOf.keys()];
    for (let n = 0; n < ids.length; n += AT_ONCE) {
      const { rows } = await loadMessages(this.kernel.database.pool, realmId, ids.slice(n, n + AT_ONCE), 'now');
      for (const [messageId, message] of rows) {
        const users = (usersOf.get(messageId) ?? []).map(({ userId }) => userId);
        for (const [userId, reason] of await this.reasonsOf(realmId, message, users)) {
          found.set(keyOf({ userId, messageId }), { userId, messageId, message, reason });
        }
      }
    }
    return missed.flatMap((one) => found.get(keyOf(one)) ?? []);
  }

  private async reasonsOf(
    realmId: RealmId,
    message: MessageRow,
    users: readonly UserId[],
  ): Promise<ReadonlyMap<UserId, NotificationReason>> {
    const recipients = await this.recipients.among(this.kernel.database.pool, realmId, message, users);
    return this.reasons.of(realmId, message, recipients, emailWishes);
  }
}

const keyOf = ({ userId, messageId }: { readonly userId: UserId; readonly messageId: MessageId }): string =>
  `${userId}:${messageId}`;

/** Whether messages are in one conversation: those of a topic name in a channel, or between the same users. */
export const conversationKey = ({ conversationId, channelId, topic }: MessageRow): string =>
  conversationId === null ? `${channelId}:${(topic ?? '').toLowerCase()}` : `direct:${conversationId}`;
