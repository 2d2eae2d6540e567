import { UnitOfWork } from '@annals/kernel';
import type { Opened, Work } from '@annals/kernel';
import type { Actor, MessageId } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { messageIdAt } from '../domain/events';
import type { Place } from '../domain/events';
import type { Inspected } from '../domain/message';
import { send } from '../domain/message';
import { sentContent } from '../domain/text';
import type { NamedPeople } from '../read/narrow-terms';
import { DirectMessages } from './direct-messages';
import { Inspection } from './inspection';
import { Mentioning } from './mentioning';
import { organization } from '@annals/realm';
import { Posting } from './posting';

/** Where a message goes, as its sender names it. */
export type Destination =
  { readonly channel: number | string; readonly topic: string } | { readonly people: NamedPeople };

/** Sends one message (contract/messages.md section 3). */
export class SendMessage extends Command<MessageId> {
  constructor(
    readonly by: Actor,
    readonly to: Destination,
    /** As it was written. */
    readonly content: string,
    readonly readBySender: boolean,
    /** The client queue that is told which of its drafts this message came from. */
    readonly echo: { readonly queueId: string; readonly localId: string } | null,
  ) {
    super();
  }
}

@CommandHandler(SendMessage)
export class SendMessageHandler implements ICommandHandler<SendMessage> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly posting: Posting,
    private readonly directMessages: DirectMessages,
    private readonly inspection: Inspection,
    private readonly mentioning: Mentioning,
  ) {}

  async execute(command: SendMessage): Promise<MessageId> {
    const { by, to } = command;
    const content = sentContent(command.content);
    const sent = await this.work.run(by, (work) =>
      'channel' in to ? this.post(work, command, content, to) : this.write(work, command, content, to.people),
    );
    return messageIdAt(sent.id);
  }

  private async post(
    work: Work,
    command: SendMessage,
    content: string,
    to: { channel: number | string; topic: string },
  ): Promise<Opened> {
    const { settings } = await organization(work);
    const { channelId, topicId, namesakes } = await this.posting.place(work, to, settings);
    const text = await this.inspection.of(content, work.actor, { channelId });
    await this.mentioning.ensureAllowed(text.facts, work.actor, settings, { channelId, topicIds: namesakes });
    return open(work, command, { channelId, topicId }, text);
  }

  private async write(work: Work, command: SendMessage, content: string, people: NamedPeople): Promise<Opened> {
    const realm = await organization(work);
    const place = await this.directMessages.place(work, people, realm);
    const text = await this.inspection.of(content, work.actor, place);
    await this.mentioning.ensureAllowed(text.facts, work.actor, realm.settings, null);
    return open(work, command, place, text);
  }
}

function open(work: Work, { readBySender, echo }: SendMessage, place: Place, text: Inspected): Opened {
  return work.open('message', send({ place, senderId: work.actor.userId, text, readBySender, echo }));
}
