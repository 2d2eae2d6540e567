import { UnitOfWork } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Actor, MessageId } from '@annals/kernel/domain';
import { messageIdAt } from '@annals/kernel/domain';
import { Editor } from '@annals/messages';
import { BotStorages } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { Counter } from '../domain/programs/incrementor';
import { COUNTER_KEYS, counterToStore, storedCounter } from '../domain/programs/incrementor';
import { queryAggregate, queryKey } from '../domain/query';
import type { Question } from './replies';
import { Replies } from './replies';
import { unlessRejected } from './unless-rejected';

const NO_NOTICES = { inOldTopic: false, inNewTopic: false };

/** Answers with the next number of a bot, in the message that shows it. */
@Injectable()
export class CounterAnswers {
  constructor(
    private readonly work: UnitOfWork,
    private readonly storages: BotStorages,
    private readonly editor: Editor,
    private readonly replies: Replies,
  ) {}

  /**
   * The number is in the storage of the bot, which is locked meanwhile. If the process dies after the answer and before the
   * storage is written, the next attempt finds the answer and writes the storage.
   */
  async answer(bot: Actor, question: Question): Promise<void> {
    await this.storages.change(bot, COUNTER_KEYS, async (stored) => {
      const counter = storedCounter(stored);
      if (counter.counted !== null && counter.counted >= question.messageId) return null;
      const messageId = await this.write(bot, question, counter);
      if (messageId === null) return null;
      return counterToStore({ number: counter.number + 1, messageId, counted: question.messageId });
    });
  }

  /** @returns the message with the number; null where the bot may not send it */
  private async write(bot: Actor, question: Question, counter: Counter): Promise<MessageId | null> {
    const answer = await this.work.run(bot, async (work) => {
      const outcome = await work.read(queryAggregate, queryKey(question));
      if (outcome) return { messageId: outcome.answerId };
      const content = String(counter.number + 1);
      if (counter.messageId !== null && (await this.edited(work, counter.messageId, content))) {
        await this.replies.edited(work, question, counter.messageId);
        return { messageId: counter.messageId };
      }
      const opened = await this.replies.send(work, question, await this.replies.draft(work, question, content));
      return opened ? { opened } : { messageId: null };
    });
    return 'opened' in answer ? messageIdAt(answer.opened.id) : answer.messageId;
  }

  /** Whether the message was edited. It may be deleted, or too old to be edited. */
  private async edited(work: Work, messageId: MessageId, content: string): Promise<boolean> {
    const patch = { content, topic: undefined, channelId: undefined, mode: 'change_one' } as const;
    const request = { messageId, patch, previousDigest: null, notices: NO_NOTICES };
    return (await unlessRejected(this.editor.edit(work, request))) !== null;
  }
}
