import { ChannelFacts } from '@annals/channels';
import { Kernel } from '@annals/kernel';
import type { Actor, MessageId } from '@annals/kernel/domain';
import { ensure } from '@annals/kernel/domain';
import { RealmFacts } from '@annals/realm';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { mayEditContent } from '../../domain/message/message';
import { reject } from '../../domain/rejections';
import type { TypedPlace, TypingOp } from '../../domain/typing';
import { MessageFinder } from '../../read/query/message-finder';
import type { MessageRow } from '../../read/content/message-row';
import { loadMessages } from '../../read/content/load-messages';
import { EVERYTHING } from '../../read/narrow/compiled-narrow';
import { TypingSignals } from './typing-signals';

/** Notifies others that the actor edits a message, or has stopped (INTERFACE.md 4.16). */
export class SignalEditing extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly op: TypingOp,
    readonly messageId: MessageId,
  ) {
    super();
  }
}

@CommandHandler(SignalEditing)
export class SignalEditingHandler implements ICommandHandler<SignalEditing> {
  constructor(
    private readonly kernel: Kernel,
    private readonly realms: RealmFacts,
    private readonly channels: ChannelFacts,
    private readonly finder: MessageFinder,
    private readonly signals: TypingSignals,
  ) {}

  async execute({ by, op, messageId }: SignalEditing): Promise<void> {
    const message = await this.message(by, messageId);
    const { settings } = await this.realms.of(by.realmId);
    const rules = {
      allowEditing: settings.allow_message_editing,
      limitSeconds: settings.message_content_edit_limit_seconds,
    };
    ensure(mayEditContent(message, by, rules, this.kernel.clock.now(), 0));
    await this.signals.ensureEnabled(by, message.channelId === null ? 'direct' : 'channel');
    await this.signals.send(by.realmId, { op, senderId: by.userId, place: placeOf(message), messageId });
  }

  /** @throws Rejected BAD_REQUEST for a message that the actor cannot see, as for one that does not exist, and in archived channels */
  private async message(by: Actor, id: MessageId): Promise<MessageRow> {
    const { realmId } = by;
    const [seen] = await this.finder.visible(by, EVERYTHING, [id]);
    if (seen === undefined) throw reject.unknownMessage();
    const message = (await loadMessages(this.kernel.database.pool, realmId, [id], 'now')).rows.get(id);
    if (!message) throw reject.unknownMessage();
    const channel = message.channelId === null ? null : await this.channels.byId(realmId, message.channelId);
    if (channel?.isArchived) throw reject.unknownMessage();
    return message;
  }
}

const placeOf = ({ channelId, topic, userIds }: MessageRow): TypedPlace =>
  channelId === null ? { userIds } : { channelId, topic: topic ?? '' };
