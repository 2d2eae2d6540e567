import { channelAggregate } from '@annals/channels';
import type { Work } from '@annals/kernel';
import { UnitOfWork } from '@annals/kernel';
import type { Actor, MessageId, UserId } from '@annals/kernel/domain';
import { messagePath } from '@annals/markdown';
import type { ReportType } from '@annals/realm';
import { REPORT_TYPES, ServerAddress, organization } from '@annals/realm';
import type { UserRow } from '@annals/users';
import { UserFacts } from '@annals/users';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { NoticeText } from '../../domain/message/notice-text';
import { plain } from '../../domain/message/notice-text';
import { reject } from '../../domain/rejections';
import type { ReportedPlace } from '../../domain/report';
import { ensureExplained, reportText, reportTopic } from '../../domain/report';
import { MessageLoader } from '../../read/content/message-loader';
import type { MessageRow } from '../../read/content/message-row';
import { EVERYTHING } from '../../read/narrow/compiled-narrow';
import { MessageFinder } from '../../read/query/message-finder';
import { messageKey, messageThere } from '../access/guards';
import { Notices } from '../notices/notices';
import { postingChannel } from '../send/posting';

/** Reports a message that the actor can read. The report is a message in the channel that the organization chose for reports. */
export class ReportMessage extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly messageId: MessageId,
    readonly type: ReportType,
    /** Why it is reported. Empty without an explanation. */
    readonly description: string,
  ) {
    super();
  }
}

@CommandHandler(ReportMessage)
export class ReportMessageHandler implements ICommandHandler<ReportMessage> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly finder: MessageFinder,
    private readonly loader: MessageLoader,
    private readonly users: UserFacts,
    private readonly address: ServerAddress,
    private readonly notices: Notices,
  ) {}

  async execute({ by, messageId, type, description }: ReportMessage): Promise<void> {
    ensureExplained(type, description);
    await this.work.run(by, async (work) => {
      const channel = await moderation(work);
      const { message, subdomain } = await this.message(work, messageId);
      const people = await this.users.accounts(work.realmId, [work.actor.userId, message.senderId, ...message.userIds]);
      const [reporter, author] = [accountIn(people, work.actor.userId), accountIn(people, message.senderId)];
      const text = reportText({
        ...{ reporter, author, messageId, sentAt: new Date(message.sentAt).toISOString(), description },
        reason: REPORT_TYPES[type],
        place: this.placeOf(message, people, subdomain),
        text: textOf(message),
      });
      await this.notices.post(work, channel.id, channel.onlyEmptyTopic ? '' : reportTopic(author), text);
    });
  }

  /** @throws Rejected BAD_REQUEST for a message that the actor cannot see, as for one that does not exist */
  private async message(work: Work, id: MessageId): Promise<{ message: MessageRow; subdomain: string }> {
    const [seen] = await this.finder.visible(work.actor, EVERYTHING, [id]);
    const { rows, subdomain } = await this.loader.load(work.realmId, [id]);
    const message = rows.get(id);
    if (seen === undefined || !message) throw reject.unknownMessage();
    work.guard(messageThere, messageKey(id));
    return { message, subdomain };
  }

  private placeOf(message: MessageRow, people: ReadonlyMap<UserId, UserRow>, subdomain: string): ReportedPlace {
    const { id, channelId, channelName, topic, userIds } = message;
    const urlIn = (place: Parameters<typeof messagePath>[0]) =>
      `${this.address.urlOf(subdomain)}${messagePath(place, id)}`;
    if (channelId !== null && channelName !== null) {
      const place = { channel: { id: channelId, name: channelName }, topic: topic ?? '' };
      return { ...place, url: urlIn(place) };
    }
    return { people: userIds.map((userId) => accountIn(people, userId)), url: urlIn({ userIds }) };
  }
}

/** @throws Rejected BAD_REQUEST where the organization has no channel for reports */
async function moderation(work: Work) {
  const { settings } = await organization(work);
  const id = settings.moderation_request_channel_id;
  const channel = id === null ? null : await work.read(channelAggregate, id);
  if (!channel || channel.isArchived) throw reject.reportingDisabled();
  return { id: channel.id, onlyEmptyTopic: postingChannel(channel, settings).topicsPolicy === 'empty_topic_only' };
}

function accountIn(people: ReadonlyMap<UserId, UserRow>, id: UserId): UserRow {
  const account = people.get(id);
  if (!account) throw new Error(`account ${id} is in a message and does not exist`);
  return account;
}

/** The text with the meaning of its names. */
const textOf = ({ text }: MessageRow): NoticeText => ({
  content: text.content ?? '(erased)',
  names: text.names === null ? plain('').names : (JSON.parse(text.names) as NoticeText['names']),
});
