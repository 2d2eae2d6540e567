import { randomUUID } from 'node:crypto';
import { ActorReader } from '@annals/groups';
import { Kernel, UnitOfWork, systemActor } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Actor, RealmId } from '@annals/kernel/domain';
import { Rejected, Role } from '@annals/kernel/domain';
import type { UserReference } from '@annals/markdown';
import { leadingMention } from '@annals/markdown';
import type { Draft, MessageRow } from '@annals/messages';
import { GetMessage, Sender } from '@annals/messages';
import type { BotProgram, UserRow } from '@annals/users';
import { UserFacts, Viewers, emailFor, personKey, readBotPrograms } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { converter } from '../domain/programs/converter';
import { followup } from '../domain/programs/followup';
import { helloworld } from '../domain/programs/helloworld';
import { incrementor } from '../domain/programs/incrementor';
import type { AnsweringProgram, ProgramAnswer } from '../domain/programs/program';
import type { AskedBot } from '../domain/query';
import { queryAggregate, queryKey, unanswered } from '../domain/query';
import { CounterAnswers } from './counter-answers';
import type { Question } from './replies';
import { Replies } from './replies';
import { unlessRejected } from './unless-rejected';

const PROGRAMS: Readonly<Record<BotProgram, AnsweringProgram>> = { converter, followup, helloworld, incrementor };

/** A message for a bot of an organization. */
export interface BotTask extends AskedBot {
  readonly realmId: RealmId;
}

/** Answers messages as embedded bots, each once. */
@Injectable()
export class Answers {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
    private readonly actors: ActorReader,
    private readonly queries: QueryBus,
    private readonly users: UserFacts,
    private readonly viewers: Viewers,
    private readonly sender: Sender,
    private readonly replies: Replies,
    private readonly counters: CounterAnswers,
  ) {}

  /**
   * The answer and the record that there is one are one append, so several processes may try at once. Nothing happens if the
   * message or the bot is gone, or the message asks nothing.
   */
  async answer(task: BotTask): Promise<void> {
    const { realmId, botId } = task;
    await this.kernel.fence.reach(realmId);
    const program = (await readBotPrograms(this.kernel.database.pool, realmId, [botId])).get(botId);
    const bot = await unlessRejected(this.actor(realmId, botId));
    const question = program && bot && (await this.question(bot, task));
    if (!question) return;
    const answer = PROGRAMS[program](question.query);
    if (answer.kind === 'count') return this.counters.answer(bot, question);
    await this.work.run(bot, async (work) => {
      if (await work.read(queryAggregate, queryKey(task))) return;
      await this.replies.send(work, question, await this.draft(work, question, answer));
    });
  }

  /** Records that the bot does not answer because of server errors. */
  async giveUp(task: BotTask): Promise<void> {
    await this.work.run(systemActor(task.realmId), (work) =>
      work.decide(queryAggregate, queryKey(task), (outcome) => unanswered(outcome, task, 'internal')),
    );
  }

  /** Null for a message that the bot does not see, or that addresses somebody else first. */
  private async question(bot: Actor, { botId, messageId }: AskedBot): Promise<Question | null> {
    const found = await unlessRejected(this.queries.execute(new GetMessage(bot, messageId)));
    const message = found?.loaded.rows.get(messageId);
    const author = message && found?.loaded.users.get(message.senderId);
    const account = await this.users.account(bot.realmId, botId);
    if (!author || !account) return null;
    const text = textFor(account, message);
    if (text === null) return null;
    // Guests may read what the bot writes, so it does not write an email that is hidden from them.
    const email = emailFor(author, { ...(await this.viewers.of(bot)), role: Role.guest });
    return { botId, messageId, message, query: { text, author: email } };
  }

  /** A post that is refused becomes a reply that says so. Null if the bot may not even reply. */
  private async draft(
    work: Work,
    question: Question,
    answer: Exclude<ProgramAnswer, { kind: 'count' }>,
  ): Promise<Draft | null> {
    if (answer.kind === 'reply') return this.replies.draft(work, question, answer.content);
    const { channel, topic, content } = answer;
    try {
      return await this.sender.draft(work, { channel, topic }, content);
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      return this.replies.draft(
        work,
        question,
        `I could not post this in the channel \`${channel}\`: ${error.message}`,
      );
    }
  }

  private actor(realmId: RealmId, botId: number): Promise<Actor> {
    return this.actors.actor(realmId, botId, { client: 'annals', correlation: randomUUID(), address: null });
  }
}

/** The text after the mention of the bot. In a direct message it needs no mention. */
function textFor({ userId, fullName }: UserRow, { text, conversationId }: MessageRow): string | null {
  const content = text.content ?? '';
  const mention = leadingMention(content);
  const isUser = ({ id, name = '' }: UserReference) =>
    id === undefined ? personKey(name) === personKey(fullName) : id === userId;
  if (mention && isUser(mention.user)) return mention.rest;
  return conversationId === null ? null : content.trim();
}
