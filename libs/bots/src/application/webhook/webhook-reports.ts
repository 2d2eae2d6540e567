import type { Work } from '@annals/kernel';
import { messagePath } from '@annals/markdown';
import type { MessageRow, NoticeText } from '@annals/messages';
import { Notices, codeBlock, notice, person } from '@annals/messages';
import { UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { AskedBot } from '../../domain/query';
import { queryAggregate, queryKey, undelivered } from '../../domain/query';
import type { WebhookFault } from '../../domain/webhook/webhook-fault';
import { replyTo, reportOf, shownBody } from '../../domain/webhook/webhook-fault';
import { Replies } from '../replies';
import type { WebhookMessage } from './webhook-payloads';

/** Tells those who asked, and the owner of the bot, that the program behind it did not answer. */
@Injectable()
export class WebhookReports {
  constructor(
    private readonly replies: Replies,
    private readonly notices: Notices,
    private readonly users: UserFacts,
  ) {}

  /** Replies where the message is, writes to the owner, and records both with the failure: once. */
  async report(work: Work, asked: WebhookMessage & AskedBot, fault: WebhookFault): Promise<void> {
    if (await work.read(queryAggregate, queryKey(asked))) return;
    const draft = await this.replies.draft(work, asked, replyTo(fault));
    if (draft) await this.replies.post(work, draft);
    await this.tellOwner(work, asked, fault);
    await work.decide(queryAggregate, queryKey(asked), (outcome) => undelivered(outcome, asked, fault));
  }

  private async tellOwner(work: Work, { account, message }: WebhookMessage, fault: WebhookFault): Promise<void> {
    const { realmId, userId: botId, botOwnerId } = account;
    const told = reportOf(fault);
    const owner = botOwnerId === null ? undefined : await this.users.account(realmId, botOwnerId);
    if (told === null || !owner?.isActive) return;
    const body = shownBody(fault);
    const text = notice`[A message](${linkTo(message)}) to your bot ${person(account)} triggered an outgoing webhook.\n${told}${payload(body)}`;
    await this.notices.write(work, botId, owner.userId, [text]);
  }
}

const payload = (body: string): NoticeText | string =>
  body === '' ? '' : `\nThe response contains the following payload:\n${codeBlock(body)}`;

const linkTo = ({ id, channelId, channelName, topic, userIds }: MessageRow): string =>
  channelId === null || channelName === null
    ? messagePath({ userIds }, id)
    : messagePath({ channel: { id: channelId, name: channelName }, topic: topic ?? '' }, id);
