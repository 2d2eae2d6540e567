import { UnitOfWork, systemActor } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import { fact } from '@annals/kernel/domain';
import type { NoticeText } from '@annals/messages';
import { Notices, notice, person } from '@annals/messages';
import { UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { consumerAggregate } from '../../domain/consumer';
import { ConsumerPaused } from '../../domain/events';
import type { FailureReport } from '../../domain/webhook/webhook';
import { reportFailure, webhookAggregate } from '../../domain/webhook/webhook';
import type { ConsumerRow } from '../../read/consumer-row';

/** Tells owners of consumers about their webhooks, by messages of the notification bot. */
@Injectable()
export class WebhookNotices {
  constructor(
    private readonly work: UnitOfWork,
    private readonly notices: Notices,
    private readonly users: UserFacts,
  ) {}

  /** Requests fail. Told once, because the report is in the append of the message. */
  async failing(consumer: ConsumerRow, report: FailureReport): Promise<void> {
    const { hours } = report;
    const time = hours === 1 ? 'an hour' : `${hours} hours`;
    await this.work.run(systemActor(consumer.realmId), async (work) => {
      const told = await work.decide(webhookAggregate, consumer.id, (state) => reportFailure(state, consumer, report));
      if (told.length === 0) return;
      await this.tell(
        work,
        consumer,
        (of) =>
          notice`The webhook of ${of} has not acknowledged its events for more than ${time}. They are kept, in order, and sent again at least every hour.`,
      );
    });
  }

  /** The receiver wants nothing more, so the consumer is paused. */
  async gone(consumer: ConsumerRow): Promise<void> {
    const { realmId, id: consumerId, ownerId } = consumer;
    await this.work.run(systemActor(realmId), async (work) => {
      const paused = await work.decide(consumerAggregate, consumerId, (state) =>
        state && !state.isPaused ? [fact(ConsumerPaused, { consumerId, ownerId })] : [],
      );
      if (paused.length === 0) return;
      await this.tell(
        work,
        consumer,
        (of) =>
          notice`The webhook of ${of} answered that it is gone (status 410). The consumer is paused. Its events are kept until you resume it.`,
      );
    });
  }

  /** Writes to the owner of a consumer. The one of a bot reads what is for the bot. */
  private async tell(
    work: Work,
    { realmId, ownerId, name }: ConsumerRow,
    textFor: (of: NoticeText) => NoticeText,
  ): Promise<void> {
    const account = await this.users.account(realmId, ownerId);
    if (!account) return;
    const isBot = account.botType !== null;
    const reader =
      isBot && account.botOwnerId !== null ? await this.users.account(realmId, account.botOwnerId) : account;
    if (!reader?.isActive) return;
    const of = isBot
      ? notice`the consumer \`${name}\` of your bot ${person(account)}`
      : notice`your consumer \`${name}\``;
    await this.notices.notify(work, [reader.userId], () => textFor(of));
  }
}
