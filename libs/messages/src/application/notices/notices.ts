import type { Opened, Work } from '@annals/kernel';
import type { ChannelId, UserId } from '@annals/kernel/domain';
import { organization } from '@annals/realm';
import type { UserRow } from '@annals/users';
import { UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { participants } from '../../domain/conversation';
import type { BotNotice } from '../../domain/message/message';
import { sendNotice } from '../../domain/message/message';
import type { NoticeText } from '../../domain/message/notice-text';
import { person } from '../../domain/message/notice-text';
import { DirectMessages } from '../send/direct-messages';
import { ContentAnalysis } from '../send/content-analysis';
import type { MessageTarget } from '../send/open-message';
import { openMessage } from '../send/open-message';
import { Posting } from '../send/posting';

/**
 * Sends messages of the notification bot in the append of the change that they report, and of other system bots. Several notices
 * of one unit of work may have the same new topic or conversation.
 */
@Injectable()
export class Notices {
  constructor(
    private readonly posting: Posting,
    private readonly directMessages: DirectMessages,
    private readonly analysis: ContentAnalysis,
    private readonly users: UserFacts,
  ) {}

  /** Posts in a channel without a permission check; the actor, if it is an account, has read the notice. @param topic as topics are stored */
  async post(
    work: Work,
    channel: ChannelId,
    topic: string,
    text: NoticeText,
    more: Pick<BotNotice, 'about' | 'unreadFor'> = {},
  ): Promise<void> {
    const { notificationBotId } = await organization(work);
    const notice = { text, readBy: work.by.userId, ...more };
    await this.send(work, notificationBotId, await this.posting.noticeTarget(work, channel, topic), notice);
  }

  /**
   * Posts in a channel as another system bot, without a permission check. Nobody has read the message.
   *
   * @param to the topic as topics are stored
   * @param paths of files of the actor: whoever may read the message may read these
   */
  async postAs(
    work: Work,
    bot: UserId,
    { channel, topic }: { readonly channel: ChannelId; readonly topic: string },
    text: NoticeText,
    paths: readonly string[] = [],
  ): Promise<void> {
    const target = await this.posting.noticeTarget(work, channel, topic);
    await this.send(work, bot, target, { text, readBy: null }, paths);
  }

  /** Sends a direct message to each of these users, whatever the organization's rules for direct messages are. */
  async notify(work: Work, people: readonly UserId[], textFor: (user: UserId) => NoticeText): Promise<void> {
    const { notificationBotId: bot } = await organization(work);
    const pairs = people.map((user) => participants(bot, [user]));
    const places = await this.directMessages.open(work, pairs);
    for (const [index, place] of places.entries()) {
      const user = people[index];
      if (user === undefined) continue;
      await this.send(work, bot, { kind: 'existing', place }, { text: textFor(user), readBy: null });
    }
  }

  /** Sends direct messages of a system bot to a user, whatever the organization's rules for direct messages are. */
  async write(work: Work, bot: UserId, user: UserId, texts: readonly NoticeText[]): Promise<readonly Opened[]> {
    const [place] = await this.directMessages.open(work, [participants(bot, [user])]);
    if (!place) throw new Error('the conversation was not opened');
    const sent: Opened[] = [];
    for (const text of texts)
      sent.push(await this.send(work, bot, { kind: 'existing', place }, { text, readBy: null }));
    return sent;
  }

  /** The actor's name. */
  async actor({ realmId, actor }: Work): Promise<NoticeText> {
    const account = await this.users.account(realmId, actor.userId);
    if (!account) throw new Error(`account ${actor.userId} is the actor and does not exist`);
    return person(account);
  }

  /** Those of the users who are active, no bots, and not the actor. */
  async otherHumans({ realmId, actor }: Work, users: readonly UserId[]): Promise<UserId[]> {
    const accounts = await this.users.accounts(realmId, users);
    const isOther = (account: UserRow | undefined) =>
      account !== undefined && account.isActive && account.botType === null && account.userId !== actor.userId;
    return users.filter((user) => isOther(accounts.get(user)));
  }

  private async send(
    work: Work,
    botId: UserId,
    target: MessageTarget,
    { text, ...notice }: Pick<BotNotice, 'readBy' | 'about' | 'unreadFor'> & { readonly text: NoticeText },
    paths: readonly string[] = [],
  ): Promise<Opened> {
    const files = paths.length === 0 ? null : { by: work.actor, paths };
    const analyzed = await this.analysis.ofNotice(text, work.realmId, files);
    return openMessage(work, target, (place) => sendNotice({ place, botId, text: analyzed, ...notice }));
  }
}
