import type { Work } from '@annals/kernel';
import type { ChannelId, UserId } from '@annals/kernel/domain';
import { organization } from '@annals/realm';
import type { UserRow } from '@annals/users';
import { UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { participants } from '../../domain/conversation';
import type { Place } from '../../domain/events';
import type { NoticeAbout } from '../../domain/message/message';
import { sendNotice } from '../../domain/message/message';
import type { NoticeText } from '../../domain/message/notice-text';
import { person } from '../../domain/message/notice-text';
import { DirectMessages } from '../send/direct-messages';
import { ContentAnalysis } from '../send/content-analysis';
import { Posting } from '../send/posting';

/**
 * Writes what the notification bot says into the append of the act that it tells of. Several notices of one unit of work
 * may go to the same new topic or conversation.
 */
@Injectable()
export class Notices {
  constructor(
    private readonly posting: Posting,
    private readonly directMessages: DirectMessages,
    private readonly analysis: ContentAnalysis,
    private readonly users: UserFacts,
  ) {}

  /** Posts in a channel, whoever may post there; who acts has read it. @param topic as topics are stored */
  async post(work: Work, channel: ChannelId, topic: string, text: NoticeText, about?: NoticeAbout): Promise<void> {
    const notice = { text, readBy: work.actor.userId, ...(about && { about }) };
    await this.give(work, () => this.posting.noticePlace(work, channel, topic), notice);
  }

  /** Writes to each of these people alone, whatever the organization says about direct messages. */
  async tell(work: Work, people: readonly UserId[], textFor: (user: UserId) => NoticeText): Promise<void> {
    const { notificationBotId: bot } = await organization(work);
    const pairs = people.map((user) => participants(bot, [user]));
    const places = await this.directMessages.open(work, pairs);
    for (const [index, place] of places.entries()) {
      const user = people[index];
      if (user === undefined) continue;
      await this.give(work, () => Promise.resolve(place), { text: textFor(user), readBy: null });
    }
  }

  /** Who acts, as a name. */
  async actor({ realmId, actor }: Work): Promise<NoticeText> {
    const account = await this.users.account(realmId, actor.userId);
    if (!account) throw new Error(`account ${actor.userId} acts and does not exist`);
    return person(account);
  }

  /** Those of them who are people with an account in use and do not act themselves. */
  async otherHumans({ realmId, actor }: Work, users: readonly UserId[]): Promise<UserId[]> {
    const accounts = await this.users.accounts(realmId, users);
    const isOther = (account: UserRow | undefined) =>
      account !== undefined && account.isActive && account.botType === null && account.userId !== actor.userId;
    return users.filter((user) => isOther(accounts.get(user)));
  }

  /** The place comes last, since a topic that it begins must be followed by its message. */
  private async give(
    work: Work,
    placeOf: () => Promise<Place>,
    { text, readBy, about }: { text: NoticeText; readBy: UserId | null; about?: NoticeAbout },
  ): Promise<void> {
    const { notificationBotId: botId } = await organization(work);
    const analyzed = await this.analysis.ofNotice(text, work.realmId);
    const place = await placeOf();
    work.open('message', sendNotice({ place, botId, text: analyzed, readBy, ...(about && { about }) }));
  }
}
