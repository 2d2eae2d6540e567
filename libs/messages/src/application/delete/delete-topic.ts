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
 * @returns whether all are gone; asked again, it goes on where it stopped
 */
export class DeleteTopic extends Command<boolean> {
  constructor(
    readonly by: Actor,
    readonly channelId: ChannelId,
    /** As topics are stored. */
    readonly name: string,
  ) {
    super();
  }
}

/** Messages that go at once, and the time for all of them (contract/conventions.md section 7). */
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
   * Topics that are begun meanwhile stay, so that it ends however much is posted; who keeps being overtaken by posts
   * stops as if the time were over.
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

  /** @returns whether there may be more */
  private async deleteNewest(by: Actor, { channelId, name, ids }: Sought): Promise<boolean> {
    return this.work.run(by, async (work) => {
      await this.ensureAllowed(work, channelId);
      const topics = await stillThere(work, { channelId, name, ids });
      const messages = await newestDeletable(this.kernel.database.pool, work.actor, topics, BATCH);
      if (messages.length > 0) await this.deletions.carryOut(work, messages);
      return messages.length > 0;
    });
  }

  /**
   * What people chose for a topic that is no more goes at the end, also where somebody was killed before. Of one with
   * messages that the actor cannot see, or was begun again, it stays; who begins one right now comes after that.
   */
  private async forgetPolicies(by: Actor, topic: Omit<Sought, 'ids'>): Promise<void> {
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

/** The topics of a name, as they were when somebody began to delete them. */
interface Sought {
  readonly channelId: ChannelId;
  readonly name: string;
  readonly ids: readonly TopicId[];
}

/** Those that were not moved meanwhile. */
async function stillThere(work: Work, { channelId, name, ids }: Sought): Promise<TopicId[]> {
  const there = [];
  for (const id of ids) {
    const topic = await work.read(topicAggregate, id);
    if (topic?.channelId === channelId && topicKey(topic.name ?? name) === topicKey(name)) there.push(id);
  }
  return there;
}
