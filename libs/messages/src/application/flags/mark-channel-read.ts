import { UnitOfWork } from '@annals/kernel';
import type { Actor, ChannelId, MessageId } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CHANGED_AT_ONCE, flagsChanged } from '../../domain/flags/flag-changes';
import { readingStream } from '../../domain/flags/flag-events';
import { reject } from '../../domain/rejections';
import { NarrowResolver } from '../../read/narrow/narrow-resolver';
import type { NarrowTerm } from '../../read/narrow/narrow-terms';
import { TopicFacts } from '../../read/placement/topic-facts';
import { MessageFinder } from '../../read/query/message-finder';
import { ReadableChannels } from '../access/readable-channels';

/**
 * Marks the messages of a channel, or of one of its topics, as read (contract/messages.md section 8).
 *
 * @throws Rejected BAD_REQUEST for a channel that the actor cannot read, as for one that does not exist, and for a topic that does
 *   not exist
 */
export class MarkChannelRead extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly channelId: ChannelId,
    /** Name of the topic as it is stored; null for the whole channel. */
    readonly topic: string | null,
  ) {
    super();
  }
}

@CommandHandler(MarkChannelRead)
export class MarkChannelReadHandler implements ICommandHandler<MarkChannelRead> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly channels: ReadableChannels,
    private readonly topics: TopicFacts,
    private readonly narrows: NarrowResolver,
    private readonly finder: MessageFinder,
  ) {}

  async execute(command: MarkChannelRead): Promise<void> {
    for (let [after, found] = [0, CHANGED_AT_ONCE]; found === CHANGED_AT_ONCE;) {
      const marked = await this.markAfter(command, after);
      [after, found] = [marked.at(-1) ?? after, marked.length];
    }
  }

  /** @returns messages that were unread, oldest first */
  private async markAfter(command: MarkChannelRead, after: number): Promise<readonly MessageId[]> {
    return this.work.run(command.by, async (work) => {
      const { channelId, topic } = command;
      const by = work.actor;
      if ((await this.channels.of(work, channelId)) === null) throw reject.unknownChannel();
      if (topic !== null && (await this.topics.named(by.realmId, channelId, topic)).length === 0) {
        throw reject.noSuchTopic({ topic });
      }
      const narrow = await this.narrows.resolve(by, unreadIn(command));
      const range = { after, before: Number.MAX_SAFE_INTEGER };
      const unread = await this.finder.find(by, { narrow, range, order: 'oldest first', limit: CHANGED_AT_ONCE });
      work.append(readingStream(by.userId), flagsChanged(by.userId, { flag: 'read', op: 'add' }, unread));
      return unread;
    });
  }
}

const unreadIn = ({ channelId, topic }: MarkChannelRead): NarrowTerm[] => [
  { condition: { kind: 'channel', channel: channelId }, negated: false },
  ...(topic === null ? [] : [{ condition: { kind: 'topic', topic } as const, negated: false }]),
  { condition: { kind: 'unread' }, negated: false },
];
