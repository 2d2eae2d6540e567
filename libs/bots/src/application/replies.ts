import type { Opened, Work } from '@annals/kernel';
import type { MessageId, Rejected } from '@annals/kernel/domain';
import type { Destination, Draft, MessageRow } from '@annals/messages';
import { Sender } from '@annals/messages';
import { Injectable } from '@nestjs/common';
import type { BotQuery } from '../domain/programs/program';
import type { AskedBot } from '../domain/query';
import { answered, queryAggregate, queryKey, unanswered } from '../domain/query';
import { orRejection, unlessRejected } from './unless-rejected';

/** A message for a bot. */
export interface AskedMessage extends AskedBot {
  readonly message: MessageRow;
}

/** A question with what its answer depends on. */
export interface Question extends AskedMessage {
  readonly query: BotQuery;
}

/** Answers a question within a unit of work, and records that in the same append. */
@Injectable()
export class Replies {
  constructor(private readonly sender: Sender) {}

  /** The draft of a reply where the question was asked. Null if the bot may not send there. */
  draft(work: Work, asked: AskedMessage, content: string): Promise<Draft | null> {
    return unlessRejected(this.sender.draft(work, placeOf(asked), content));
  }

  /** The same with the reason if the bot may not send there. */
  draftOrRejection(work: Work, asked: AskedMessage, content: string): Promise<Draft | Rejected> {
    return orRejection(this.sender.draft(work, placeOf(asked), content));
  }

  /** @param draft null where there is no answer, because the bot may not send it */
  async send(work: Work, question: AskedBot, draft: Draft | null): Promise<Opened | null> {
    const sent = draft && (await this.post(work, draft));
    await work.decide(queryAggregate, queryKey(question), (outcome) =>
      sent ? answered(question) : unanswered(outcome, question, 'refused'),
    );
    return sent && sent.opened;
  }

  /** Sends a message that is no answer. */
  async post(work: Work, draft: Draft): Promise<{ readonly opened: Opened }> {
    return this.sender.send(work, draft, { readBySender: true, echo: null });
  }

  /** Records that an older message answers, which was edited. */
  async edited(work: Work, question: AskedBot, answerId: MessageId): Promise<void> {
    await work.decide(queryAggregate, queryKey(question), () => answered(question, answerId));
  }
}

const placeOf = ({ message: { channelId, topic, userIds }, botId }: AskedMessage): Destination =>
  channelId === null ? { people: userIds.filter((one) => one !== botId) } : { channel: channelId, topic: topic ?? '' };
