import type { Opened, Work } from '@annals/kernel';
import type { MessageId } from '@annals/kernel/domain';
import type { Destination, Draft, MessageRow } from '@annals/messages';
import { Sender } from '@annals/messages';
import { Injectable } from '@nestjs/common';
import type { BotQuery } from '../domain/programs/program';
import type { AskedBot } from '../domain/query';
import { answered, queryAggregate, queryKey, unanswered } from '../domain/query';
import { unlessRejected } from './unless-rejected';

/** A question with what its answer depends on. */
export interface Question extends AskedBot {
  readonly message: MessageRow;
  readonly query: BotQuery;
}

/** Answers a question within a unit of work, and records that in the same append. */
@Injectable()
export class Replies {
  constructor(private readonly sender: Sender) {}

  /** The draft of a reply where the question was asked. Null if the bot may not send there. */
  draft(work: Work, { message, botId }: Question, content: string): Promise<Draft | null> {
    return unlessRejected(this.sender.draft(work, placeOf(message, botId), content));
  }

  /** @param draft null where there is no answer, because the bot may not send it */
  async send(work: Work, question: Question, draft: Draft | null): Promise<Opened | null> {
    const sent = draft && (await this.sender.send(work, draft, { readBySender: true, echo: null }));
    await work.decide(queryAggregate, queryKey(question), (outcome) =>
      sent ? answered(question) : unanswered(outcome, question, 'refused'),
    );
    return sent && sent.opened;
  }

  /** Records that an older message answers, which was edited. */
  async edited(work: Work, question: Question, answerId: MessageId): Promise<void> {
    await work.decide(queryAggregate, queryKey(question), () => answered(question, answerId));
  }
}

const placeOf = ({ channelId, topic, userIds }: MessageRow, botId: number): Destination =>
  channelId === null ? { people: userIds.filter((one) => one !== botId) } : { channel: channelId, topic: topic ?? '' };
