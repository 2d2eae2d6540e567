import { createHash } from 'node:crypto';
import { UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import type { Destination } from '@annals/messages';
import { Sender } from '@annals/messages';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { EventMessage } from '../domain/integration';
import { posted, postedDelivery } from '../domain/posted-delivery';
import { reject } from '../domain/rejections';

/** The place that a URL names. Without a channel it is the owner of the bot. */
export interface DeliveryPlace {
  readonly channel: number | string | null;
  /** Null for the topics of the messages. */
  readonly topic: string | null;
}

/** Posts the messages of one delivery as a bot. */
export class PostDelivery extends Command<void> {
  constructor(
    readonly by: Actor,
    /** Name of the integration. */
    readonly integration: string,
    readonly messages: readonly EventMessage[],
    readonly place: DeliveryPlace,
    /** An id that the sender repeats when it tries again. Null if it gives none. */
    readonly deliveryId: string | null,
  ) {
    super();
  }
}

@CommandHandler(PostDelivery)
export class PostDeliveryHandler implements ICommandHandler<PostDelivery> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly sender: Sender,
  ) {}

  /** Each message has its own append, so a delivery that is repeated after an error continues where it stopped. */
  async execute({ by, integration, messages, place, deliveryId }: PostDelivery): Promise<void> {
    for (const [index, message] of messages.entries()) {
      const key = deliveryId === null ? null : keyOf(by, [integration, place, deliveryId, index]);
      await this.post(by, integration, message, destination(by, place, message), key);
    }
  }

  private async post(by: Actor, integration: string, { content }: EventMessage, to: Destination, key: string | null) {
    await this.work.run(by, async (work) => {
      if (key !== null && (await work.read(postedDelivery, key))) return;
      const draft = await this.sender.draft(work, to, content);
      await this.sender.send(work, draft, { readBySender: false, echo: null });
      if (key !== null) await work.decide(postedDelivery, key, () => posted(by.userId, integration));
    });
  }
}

/** Ids of deliveries are of any length, and one URL may name another place than the next. */
const keyOf = ({ userId }: Actor, parts: readonly unknown[]): string =>
  `${userId}:${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}`;

function destination({ botOwnerId }: Actor, { channel, topic }: DeliveryPlace, message: EventMessage): Destination {
  if (channel !== null) return { channel, topic: topic ?? message.topic };
  if (botOwnerId === null) throw reject.noOwner();
  return { people: [botOwnerId] };
}
