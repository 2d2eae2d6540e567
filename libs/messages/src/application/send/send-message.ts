import type { TopicPolicy } from '@annals/channels';
import { UnitOfWork } from '@annals/kernel';
import type { Actor, MessageId } from '@annals/kernel/domain';
import { messageIdAt } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { Destination } from './sender';
import { Sender } from './sender';

/** The outcome of sending a message. */
export interface SendOutcome {
  readonly id: MessageId;
  /** The sender's new visibility policy for the topic; null where it does not change. */
  readonly automaticPolicy: TopicPolicy | null;
}

/** Sends one message (contract/messages.md section 3). */
export class SendMessage extends Command<SendOutcome> {
  constructor(
    readonly by: Actor,
    readonly to: Destination,
    /** As the request has it. */
    readonly content: string,
    readonly readBySender: boolean,
    /** The client queue that receives the id of its draft with the message. */
    readonly echo: { readonly queueId: string; readonly localId: string } | null,
    /** How its buttons begin, as `zformOf` returns it. */
    readonly zform: string | null,
  ) {
    super();
  }
}

@CommandHandler(SendMessage)
export class SendMessageHandler implements ICommandHandler<SendMessage> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly sender: Sender,
  ) {}

  async execute({ by, to, content, ...how }: SendMessage): Promise<SendOutcome> {
    const { opened, automaticPolicy } = await this.work.run(by, async (work) =>
      this.sender.send(work, await this.sender.draft(work, to, content), how),
    );
    return { id: messageIdAt(opened.id), automaticPolicy };
  }
}
