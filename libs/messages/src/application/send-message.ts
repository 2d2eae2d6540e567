import { AutomaticPolicies, POLICIES } from '@annals/channels';
import type { TopicPolicy } from '@annals/channels';
import { UnitOfWork } from '@annals/kernel';
import type { Opened, Work } from '@annals/kernel';
import type { Actor, MessageId } from '@annals/kernel/domain';
import { isBot } from '@annals/kernel/domain';
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
import type { PostingPlace } from './posting';

/** Where a message goes, as its sender names it. */
export type Destination =
  { readonly channel: number | string; readonly topic: string } | { readonly people: NamedPeople };

/** What came of sending a message. */
export interface SentMessage {
  readonly id: MessageId;
  /** What its topic has become to the sender by it; null where that stays. */
  readonly automaticPolicy: TopicPolicy | null;
}

/** Sends one message (contract/messages.md section 3). */
export class SendMessage extends Command<SentMessage> {
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

interface Sending {
  readonly opened: Opened;
  readonly automaticPolicy: TopicPolicy | null;
}

@CommandHandler(SendMessage)
export class SendMessageHandler implements ICommandHandler<SendMessage> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly posting: Posting,
    private readonly directMessages: DirectMessages,
    private readonly inspection: Inspection,
    private readonly mentioning: Mentioning,
    private readonly automatic: AutomaticPolicies,
  ) {}

  async execute(command: SendMessage): Promise<SentMessage> {
    const { by, to } = command;
    const content = sentContent(command.content);
    const { opened, automaticPolicy } = await this.work.run(by, (work) =>
      'channel' in to ? this.post(work, command, content, to) : this.write(work, command, content, to.people),
    );
    return { id: messageIdAt(opened.id), automaticPolicy };
  }

  private async post(
    work: Work,
    command: SendMessage,
    content: string,
    to: { channel: number | string; topic: string },
  ): Promise<Sending> {
    const { settings } = await organization(work);
    const place = await this.posting.place(work, to, settings);
    const { channelId, namesakes } = place;
    const text = await this.inspection.of(content, work.actor, { channelId });
    const topicIds = namesakes.map(({ id }) => id);
    await this.mentioning.ensureAllowed(text.facts, work.actor, settings, { channelId, topicIds });
    const automaticPolicy = await this.shown(work, place, text);
    const topicId = await this.posting.topic(work, place);
    return { opened: open(work, command, { channelId, topicId }, text), automaticPolicy };
  }

  /** What the message makes of its topic to those who take part in it, before it is there. */
  private async shown(work: Work, place: PostingPlace, { facts }: Inspected): Promise<TopicPolicy | null> {
    const { actor } = work;
    const did = place.namesakes.length === 0 ? 'begun' : 'sent';
    const own = isBot(actor) ? null : await this.automatic.tookPart(work, actor.userId, place, did);
    await this.automatic.called(work, facts.mentions.userIds, place, own === POLICIES.followed ? actor.userId : null);
    return own;
  }

  private async write(work: Work, command: SendMessage, content: string, people: NamedPeople): Promise<Sending> {
    const realm = await organization(work);
    const place = await this.directMessages.place(work, people, realm);
    const text = await this.inspection.of(content, work.actor, place);
    await this.mentioning.ensureAllowed(text.facts, work.actor, realm.settings, null);
    return { opened: open(work, command, place, text), automaticPolicy: null };
  }
}

function open(work: Work, { readBySender, echo }: SendMessage, place: Place, text: Inspected): Opened {
  return work.open('message', send({ place, senderId: work.actor.userId, text, readBySender, echo }));
}
