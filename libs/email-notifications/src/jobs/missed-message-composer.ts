import { Kernel } from '@annals/kernel';
import type { Instant, RealmId, UserId } from '@annals/kernel/domain';
import type { MailContent, MailDraft } from '@annals/mail';
import { DueLater, MailComposer } from '@annals/mail';
import type { MessageRow } from '@annals/messages';
import { GetMessagesById } from '@annals/messages';
import { OFFLINE_MS, readLastActive } from '@annals/presence';
import { NotificationReasons } from '@annals/push';
import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { AddressedMails } from '../application/addressed-mails';
import type { MailReader } from '../application/mail-readers';
import { MailReaders } from '../application/mail-readers';
import { hiddenContent, hidesContent, missedContent } from '../application/missed-letter';
import type { RepliedConversation } from '../application/reply-addresses';
import { ReplyAddresses } from '../application/reply-addresses';
import { offlineFrom } from '../domain/due';
import { MISSED_MESSAGES } from './due-mails';
import { readBatch } from './missed-message-rows';
import type { WantedMessage } from './missed-messages';
import { MissedMessages } from './missed-messages';

/** Messages whose text is in one mail. */
const MOST_SHOWN = 30;

/** Writes mails about missed messages, with what holds when they are sent. */
@Injectable()
export class MissedMessageComposer extends MailComposer {
  readonly kind = MISSED_MESSAGES;

  constructor(
    private readonly kernel: Kernel,
    private readonly missed: MissedMessages,
    private readonly reasons: NotificationReasons,
    private readonly readers: MailReaders,
    private readonly queries: QueryBus,
    private readonly replies: ReplyAddresses,
    private readonly mails: AddressedMails,
  ) {
    super();
  }

  override async compose(realmId: RealmId, key: string): Promise<MailDraft | DueLater | null> {
    const { database, fence } = this.kernel;
    const messages = await readBatch(database.pool, realmId, key);
    const userId = messages[0]?.userId;
    if (userId === undefined) return null;
    await fence.reach(realmId);
    const to = await this.readers.of(realmId, userId);
    if (!to) return null;
    const later = await this.whenOffline(realmId, userId);
    if (later !== null) return new DueLater(later);
    const wanted = await this.missed.wanted(realmId, messages);
    if (wanted.length === 0) return null;
    return hidesContent(to) ? this.mails.to(to, MISSED_MESSAGES, hiddenContent(to)) : this.shown(to, wanted);
  }

  /** The mail server may have been away for long, and the user may be back. Null for a user who is offline. */
  private async whenOffline(realmId: RealmId, userId: UserId): Promise<Instant | null> {
    const { database, clock } = this.kernel;
    const online = await readLastActive(database.pool, realmId, [userId], (clock.now() - OFFLINE_MS) as Instant);
    const activeAt = online.get(userId);
    return activeAt === undefined ? null : offlineFrom(activeAt, OFFLINE_MS);
  }

  /** With the messages as the user sees them. */
  private async shown(to: MailReader, wanted: readonly WantedMessage[]): Promise<MailDraft | null> {
    const { realmId, userId } = to.user;
    const ids = wanted.slice(0, MOST_SHOWN).map(({ messageId }) => messageId);
    const by = await this.reasons.actor(realmId, userId);
    const { ids: visible, loaded: seen } = await this.queries.execute(
      new GetMessagesById(by, [], ids, { asHtml: true }),
    );
    const messages = visible.flatMap((id) => seen.rows.get(id) ?? []);
    const [first] = messages;
    if (!first) return null;
    const conversation = conversationOf(first);
    const replyTo = conversation && (await this.replies.of(realmId, userId, conversation));
    const content: MailContent = missedContent({
      ...{ to, seen, messages },
      reasons: wanted.map(({ reason }) => reason),
      more: wanted.length - ids.length,
      canReply: replyTo !== null,
    });
    const draft = await this.mails.to(to, MISSED_MESSAGES, content);
    return replyTo === null ? draft : { ...draft, replyTo };
  }
}

function conversationOf({ topicId, conversationId }: MessageRow): RepliedConversation | null {
  if (conversationId !== null) return { conversationId };
  return topicId === null ? null : { topicId };
}
