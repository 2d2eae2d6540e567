import { createHash } from 'node:crypto';
import { channelAggregate } from '@annals/channels';
import type { FileRow } from '@annals/files';
import { UnitOfWork } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Actor, MessageId } from '@annals/kernel/domain';
import { ensure } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { Message } from '../domain/message';
import { editContent, mayEditContent, messageAggregate, unlessMoved } from '../domain/message';
import { reject } from '../domain/rejections';
import { editedContent } from '../domain/text';
import { MessageFinder } from '../read/message-finder';
import { EVERYTHING } from '../read/selection';
import { DetachedFiles } from './detached-files';
import { Inspection } from './inspection';
import { Mentioning } from './mentioning';
import { EMPTY_TOPIC_DISPLAY_NAME, organization } from '@annals/realm';
import { storedTopic } from '../domain/topic';
import { TopicFacts } from '../read/topic-facts';

/** What somebody wants to change of a message. */
export interface EditWish {
  /** As it was written. */
  readonly content: string | undefined;
  /** As it was written; the one the message has counts as none (contract/messages.md section 5.1). */
  readonly topic: string | undefined;
  /** Whether a move is to take other messages of the topic along. */
  readonly propagates: boolean;
  /** Lower-case hex SHA-256 of the text the client edited, for refusing what others changed meanwhile. */
  readonly previousDigest: string | undefined;
}

/** What came of an edit. */
export interface Edited {
  /** Files of the actor that no message names any more. */
  readonly detached: readonly FileRow[];
}

/** Changes one message (INTERFACE.md 4.1). */
export class EditMessage extends Command<Edited> {
  constructor(
    readonly by: Actor,
    readonly messageId: MessageId,
    readonly wish: EditWish,
  ) {
    super();
  }
}

@CommandHandler(EditMessage)
export class EditMessageHandler implements ICommandHandler<EditMessage> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly finder: MessageFinder,
    private readonly inspection: Inspection,
    private readonly mentioning: Mentioning,
    private readonly topics: TopicFacts,
    private readonly detachedFiles: DetachedFiles,
  ) {}

  async execute({ by, messageId, wish }: EditMessage): Promise<Edited> {
    const { content, topic, propagates, previousDigest } = wish;
    return this.work.run(by, async (work) => {
      const { settings } = await organization(work);
      const message = await this.message(work, messageId);
      const rules = {
        allowEditing: settings.allow_message_editing,
        limitSeconds: settings.message_content_edit_limit_seconds,
      };
      if (content !== undefined) ensure(mayEditContent(message, work.actor, rules, work.at));
      if (topic !== undefined && !(await this.isIn(work, message, topic))) throw reject.cannotMove();
      if (propagates) throw reject.propagationWithoutMove();
      if (content === undefined) throw reject.nothingToChange();
      ensure(unlessMoved(message, previousDigest ?? null, sha256));
      const { place } = message;
      const text = await this.inspection.of(editedContent(content), work.actor, place);
      const inTopic = 'topicId' in place ? { channelId: place.channelId, topicIds: [place.topicId] } : null;
      await this.mentioning.ensureAllowed(text.facts, work.actor, settings, inTopic);
      const edits = await work.decide(messageAggregate, messageId, () => editContent(message, text));
      return { detached: edits.length === 0 ? [] : await this.detachedFiles.by(work, messageId, text.facts.files) };
    });
  }

  private async isIn(work: Work, { place }: Message, written: string): Promise<boolean> {
    if (!('topicId' in place)) return false;
    const name = storedTopic(written, EMPTY_TOPIC_DISPLAY_NAME);
    const namesakes = await this.topics.named(work.realmId, place.channelId, name);
    return namesakes.some((topic) => topic.id === place.topicId && topic.name === name);
  }

  /** What the actor may not see is not there, and messages of archived channels are not there for changes. */
  private async message(work: Work, id: MessageId): Promise<Message> {
    const message = await work.read(messageAggregate, id);
    const [seen] = message ? await this.finder.visible(work.actor, EVERYTHING, [id]) : [];
    if (!message || seen === undefined) throw reject.unknownMessage();
    const channel = 'topicId' in message.place ? await work.read(channelAggregate, message.place.channelId) : null;
    if (channel?.isArchived) throw reject.unknownMessage();
    return message;
  }
}

const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');
