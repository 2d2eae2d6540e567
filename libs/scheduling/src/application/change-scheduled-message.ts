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
import type { DeliveryPlan, ScheduledMessage } from '../domain/scheduled-message';
import { change, changeableMessage, ensureFuture, scheduledMessageAggregate } from '../domain/scheduled-message';
import { destinationOf, plannedOf } from './planned';

/** The requested changes. A property that is left out keeps its value. */
export interface ScheduledMessagePatch {
  readonly type?: 'channel' | 'direct';
  /** A channel's id or a list of users' ids. The type of the message after the change decides which. */
  readonly to?: number | readonly number[];
  readonly content?: string;
  /** As it was written. Ignored for a direct message. */
  readonly topic?: string;
  readonly dueAt?: Instant;
}

/** Changes a message that waits for its time, or has failed (contract/scheduling.md section 4, INTERFACE.md 4.4). */
export class ChangeScheduledMessage extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly id: ScheduledId,
    readonly input: ScheduledMessagePatch,
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

  async execute({ by, id, input }: ChangeScheduledMessage): Promise<void> {
    ensureComplete(input);
    if (input.dueAt !== undefined) ensureFuture(input.dueAt, this.kernel.clock.now());
    await this.work.run(by, async (work) => {
      const known = await work.read(scheduledMessageAggregate, id);
      const message = changeableMessage(known, by.userId, input.dueAt !== undefined);
      const plan = await this.changed(work, message, input);
      await work.decide(scheduledMessageAggregate, id, () => change(message, plan));
    });
  }

  private async changed(work: Work, message: ScheduledMessage, input: ScheduledMessagePatch): Promise<DeliveryPlan> {
    const { target, readBySender, words } = message;
    const rest = { readBySender, dueAt: input.dueAt ?? message.dueAt };
    const kept = words ?? { content: '' };
    const isForChannel = input.type === undefined ? 'channelId' in target : input.type === 'channel';
    if (isForChannel && input.topic !== undefined) ensure(isPrintableTopic(input.topic.trim()));
    if (input.type !== undefined || input.to !== undefined || input.content !== undefined) {
      const to = destination(message, kept.topic, isForChannel, input);
      return { ...plannedOf(await this.sender.draft(work, to, input.content ?? kept.content)), ...rest };
    }
    if (input.topic === undefined || !('channelId' in target)) return { target, words: kept, ...rest };
    const topic = await this.sender.topicIn(work, target.channelId, input.topic);
    return { target, words: { ...kept, topic }, ...rest };
  }
}

/** Checks 1 and 2 of contract/scheduling.md section 4. */
function ensureComplete(input: ScheduledMessagePatch): void {
  if (Object.values(input).every((value) => value === undefined)) throw reject.nothingToChange();
  if (input.type === undefined) return;
  if (input.to === undefined) throw reject.typeWithoutTarget();
  if (input.type === 'channel' && input.topic === undefined) throw reject.channelWithoutTopic();
}

/** The destination after the change, as its sender names it. */
function destination(
  message: ScheduledMessage,
  topic: string | undefined,
  isForChannel: boolean,
  input: ScheduledMessagePatch,
): Destination {
  const { to } = input;
  if (to === undefined) {
    const named = input.topic ?? topic;
    return destinationOf(message, { content: '', ...(named !== undefined && { topic: named }) });
  }
  if (!isForChannel) {
    if (typeof to === 'number') throw reject.invalidPeople();
    return { people: to };
  }
  if (typeof to !== 'number') throw reject.invalidChannel();
  return { channel: to as ChannelId, topic: input.topic ?? topic ?? '' };
}
