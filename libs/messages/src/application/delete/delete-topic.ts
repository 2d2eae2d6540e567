import { TopicPolicies } from '@annals/channels';
import { Kernel, Overloaded, UnitOfWork } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Actor, ChannelId, TopicId } from '@annals/kernel/domain';
import { ensure } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { mayDeleteTopics } from '../../domain/deletion';
import { reject } from '../../domain/rejections';
import { topicAggregate, topicKey } from '../../domain/topic';
import { newestDeletable } from '../../read/upkeep/deletable';
import { TopicFacts } from '../../read/placement/topic-facts';
import { Deletions } from './deletions';
import { ReadableChannels } from '../access/readable-channels';

/**
 * Deletes the messages of a topic that the actor can see, newest first (INTERFACE.md 4.12).
 *
 * @returns whether all are deleted; if not, the same command continues
 */
export class DeleteTopic extends Command<boolean> {
  constructor(
    readonly by: Actor,
    readonly channelId: ChannelId,
    /** As it is stored. */
    readonly name: string,
  ) {
    super();
  }
}

/** Messages deleted in one append, and the time for all appends in ms (contract/conventions.md section 7). */
const BATCH = 100;
const BUDGET_MS = 50_000;

@CommandHandler(DeleteTopic)
export class DeleteTopicHandler implements ICommandHandler<DeleteTopic> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
    private readonly channels: ReadableChannels,
    private readonly topics: TopicFacts,
    private readonly deletions: Deletions,
    private readonly policies: TopicPolicies,
  ) {}

  /**
   * Topics that are started meanwhile are not deleted, so that the command ends however much is posted. If posts keep
   * causing conflicts, it stops as if the time were over.
   */
  async execute({ by, channelId, name }: DeleteTopic): Promise<boolean> {
    const { clock } = this.kernel;
    const until = clock.now() + BUDGET_MS;
    await this.work.run(by, (work) => this.ensureAllowed(work, channelId));
    const topics = await this.topics.named(by.realmId, channelId, name);
    const ids = topics.map(({ id }) => id);
    try {
      while (await this.deleteNewest(by, { channelId, name, ids })) if (clock.now() >= until) return false;
      await this.forgetPolicies(by, { channelId, name });
    } catch (error) {
      if (error instanceof Overloaded) return false;
      throw error;
    }
    return true;
  }

  /** @returns whether there may be more messages */
  private async deleteNewest(by: Actor, { channelId, name, ids }: TopicsToDelete): Promise<boolean> {
    return this.work.run(by, async (work) => {
      await this.ensureAllowed(work, channelId);
      const topics = await stillThere(work, { channelId, name, ids });
      const messages = await newestDeletable(this.kernel.database.pool, work.actor, topics, BATCH);
      if (messages.length > 0) await this.deletions.apply(work, messages);
      return messages.length > 0;
    });
  }

  /**
   * Deletes the visibility policies of the topic last, also where an earlier process was stopped before. They stay where the
   * topic has messages that the actor cannot see, or was started again.
   */
  private async forgetPolicies(by: Actor, topic: Omit<TopicsToDelete, 'ids'>): Promise<void> {
    await this.work.run(by, async (work) => {
      await this.ensureAllowed(work, topic.channelId);
      const left = await this.topics.named(work.realmId, topic.channelId, topic.name);
      if (left.length === 0) await this.policies.dropped(work, topic);
    });
  }

  /**
   * @throws Rejected UNAUTHORIZED_PRINCIPAL; BAD_REQUEST for a channel that the actor cannot read, as for one that does
   *   not exist, and for an archived one
   */
  private async ensureAllowed(work: Work, channelId: ChannelId): Promise<void> {
    ensure(mayDeleteTopics(work.actor));
    const channel = await this.channels.of(work, channelId);
    if (!channel || channel.isArchived) throw reject.unknownChannel();
  }
}

/** The topics with a name when the command began. */
interface TopicsToDelete {
  readonly channelId: ChannelId;
  readonly name: string;
  readonly ids: readonly TopicId[];
}

/** The topics that were not renamed or moved meanwhile. */
async function stillThere(work: Work, { channelId, name, ids }: TopicsToDelete): Promise<TopicId[]> {
  const there = [];
  for (const id of ids) {
    const topic = await work.read(topicAggregate, id);
    if (topic?.channelId === channelId && topicKey(topic.name ?? name) === topicKey(name)) there.push(id);
  }
  return there;
}
