import { Kernel, UnitOfWork } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Actor, ChannelId, Instant } from '@annals/kernel/domain';
import { ensure } from '@annals/kernel/domain';
import type { Destination } from '@annals/messages';
import { Sender, isPrintableTopic } from '@annals/messages';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { ScheduledId } from '../domain/events';
import { reject } from '../domain/rejections';
import type { Plan, ScheduledMessage } from '../domain/scheduled-message';
import { change, changeable, ensureFuture, scheduledMessageAggregate } from '../domain/scheduled-message';
import { destinationOf, plannedOf } from './planned';

/** The requested changes; a property that is left out keeps its value. */
export interface ScheduledMessagePatch {
  readonly type?: 'channel' | 'direct';
  /** A channel's id or a list of people's; read in the light of the type that the message has in the end. */
  readonly to?: number | readonly number[];
  readonly content?: string;
  /** As it was written; of a direct message nobody looks at it. */
  readonly topic?: string;
  readonly dueAt?: Instant;
}

/** Changes a message that waits for its time, or has failed (contract/scheduling.md section 4, INTERFACE.md 4.4). */
export class ChangeScheduledMessage extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly id: ScheduledId,
    readonly wish: ScheduledMessagePatch,
  ) {
    super();
  }
}

@CommandHandler(ChangeScheduledMessage)
export class ChangeScheduledMessageHandler implements ICommandHandler<ChangeScheduledMessage> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
    private readonly sender: Sender,
  ) {}

  async execute({ by, id, wish }: ChangeScheduledMessage): Promise<void> {
    ensureComplete(wish);
    if (wish.dueAt !== undefined) ensureFuture(wish.dueAt, this.kernel.clock.now());
    await this.work.run(by, async (work) => {
      const known = await work.read(scheduledMessageAggregate, id);
      const message = changeable(known, by.userId, wish.dueAt !== undefined);
      const plan = await this.changed(work, message, wish);
      await work.decide(scheduledMessageAggregate, id, () => change(message, plan));
    });
  }

  private async changed(work: Work, message: ScheduledMessage, wish: ScheduledMessagePatch): Promise<Plan> {
    const { target, readBySender, words } = message;
    const rest = { readBySender, dueAt: wish.dueAt ?? message.dueAt };
    const kept = words ?? { content: '' };
    const isForChannel = wish.type === undefined ? 'channelId' in target : wish.type === 'channel';
    if (isForChannel && wish.topic !== undefined) ensure(isPrintableTopic(wish.topic.trim()));
    if (wish.type !== undefined || wish.to !== undefined || wish.content !== undefined) {
      const to = destination(message, kept.topic, isForChannel, wish);
      return { ...plannedOf(await this.sender.draft(work, to, wish.content ?? kept.content)), ...rest };
    }
    if (wish.topic === undefined || !('channelId' in target)) return { target, words: kept, ...rest };
    const topic = await this.sender.topicIn(work, target.channelId, wish.topic);
    return { target, words: { ...kept, topic }, ...rest };
  }
}

/** Checks 1 and 2 of contract/scheduling.md section 4. */
function ensureComplete(wish: ScheduledMessagePatch): void {
  if (Object.values(wish).every((value) => value === undefined)) throw reject.nothingToChange();
  if (wish.type === undefined) return;
  if (wish.to === undefined) throw reject.typeWithoutTarget();
  if (wish.type === 'channel' && wish.topic === undefined) throw reject.channelWithoutTopic();
}

/** Where it goes in the end, as its sender names it. */
function destination(
  message: ScheduledMessage,
  topic: string | undefined,
  isForChannel: boolean,
  wish: ScheduledMessagePatch,
): Destination {
  const { to } = wish;
  if (to === undefined) {
    const named = wish.topic ?? topic;
    return destinationOf(message, { content: '', ...(named !== undefined && { topic: named }) });
  }
  if (!isForChannel) {
    if (typeof to === 'number') throw reject.invalidPeople();
    return { people: to };
  }
  if (typeof to !== 'number') throw reject.invalidChannel();
  return { channel: to as ChannelId, topic: wish.topic ?? topic ?? '' };
}
