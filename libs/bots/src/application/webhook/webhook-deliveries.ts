import { randomUUID } from 'node:crypto';
import { ActorReader } from '@annals/groups';
import { Kernel, UnitOfWork, systemActor } from '@annals/kernel';
import { Rejected } from '@annals/kernel/domain';
import { GetMessage } from '@annals/messages';
import { UserFacts, readBotWebhooks } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { AskedBot } from '../../domain/query';
import { accepted, queryAggregate, queryKey, undelivered } from '../../domain/query';
import type { WebhookFault } from '../../domain/webhook/webhook-fault';
import { isWorthRetrying } from '../../domain/webhook/webhook-fault';
import type { BotTask } from '../answers';
import { Replies } from '../replies';
import { unlessRejected } from '../unless-rejected';
import type { WebhookMessage } from './webhook-payloads';
import { WebhookReports } from './webhook-reports';
import { WebhookRequests } from './webhook-requests';

type Asked = WebhookMessage & AskedBot;

/**
 * Sends messages to the programs behind bots, and their answers as messages of the bots. A program may get a message twice,
 * but its bot answers once: the answer and the record that there is one are one append (decision 58).
 */
@Injectable()
export class WebhookDeliveries {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
    private readonly actors: ActorReader,
    private readonly queries: QueryBus,
    private readonly users: UserFacts,
    private readonly requests: WebhookRequests,
    private readonly replies: Replies,
    private readonly reports: WebhookReports,
  ) {}

  /**
   * Nothing happens if the bot is done with the message, the message or the bot is gone, or the message does not mention it
   * any more.
   *
   * @param isLast there is no further attempt
   * @returns false if there must be another one
   */
  async deliver(task: BotTask, isLast: boolean): Promise<boolean> {
    await this.kernel.fence.reach(task.realmId);
    const asked = await this.asked(task);
    if (!asked || (await this.isDone(asked))) return true;
    const response = await this.requests.ask(asked);
    if ('failure' in response) {
      if (isWorthRetrying(response) && !isLast) return false;
      await this.report(asked, response);
    } else if (response.kind === 'reply') {
      await this.reply(asked, response);
    } else {
      await this.work.run(asked.bot, (work) =>
        work.decide(queryAggregate, queryKey(asked), (outcome) => accepted(outcome, asked)),
      );
    }
    return true;
  }

  /** Records that the message is not sent, because of errors of this server. */
  async giveUp(task: BotTask): Promise<void> {
    await this.work.run(systemActor(task.realmId), (work) =>
      work.decide(queryAggregate, queryKey(task), (outcome) => undelivered(outcome, task, { failure: 'internal' })),
    );
  }

  private async asked({ realmId, botId, messageId }: BotTask): Promise<Asked | null> {
    const origin = { client: 'annals', correlation: randomUUID(), address: null };
    const bot = await unlessRejected(this.actors.actor(realmId, botId, origin));
    const webhook = (await readBotWebhooks(this.kernel.database.pool, realmId, [botId])).get(botId);
    const account = await this.users.account(realmId, botId);
    if (!bot || !webhook || !account) return null;
    const found = await unlessRejected(this.queries.execute(new GetMessage(bot, messageId)));
    const message = found?.loaded.rows.get(messageId);
    if (!found || !message) return null;
    const isAsked = message.channelId === null || found.flags.get(messageId)?.includes('mentioned');
    return isAsked ? { bot, botId, account, webhook, messageId, message, loaded: found.loaded } : null;
  }

  private async isDone(asked: Asked): Promise<boolean> {
    const outcome = await this.work.run(asked.bot, (work) => work.read(queryAggregate, queryKey(asked)));
    return outcome !== null;
  }

  /** A reply that may not be sent is a failure, of which the owner of the bot learns. */
  private async reply(
    asked: Asked,
    { content, body }: { readonly content: string; readonly body: string },
  ): Promise<void> {
    await this.work.run(asked.bot, async (work) => {
      if (await work.read(queryAggregate, queryKey(asked))) return;
      const draft = await this.replies.draftOrRejection(work, asked, content);
      if (draft instanceof Rejected) {
        await this.reports.report(work, asked, { failure: 'refused', reason: draft.message, body });
      } else {
        await this.replies.send(work, asked, draft);
      }
    });
  }

  private async report(asked: Asked, fault: WebhookFault): Promise<void> {
    await this.work.run(asked.bot, (work) => this.reports.report(work, asked, fault));
  }
}
