import type { Actor, ChannelId, UserId } from '@annals/kernel/domain';
import { EMPTY_TOPIC_DISPLAY_NAME, RealmFacts } from '@annals/realm';
import { UserAccess, UserFacts } from '@annals/users';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { participants } from '../../domain/conversation';
import { reject } from '../../domain/rejections';
import { sentTopic } from '../../domain/topic';
import type { TypedPlace, TypingOp } from '../../domain/typing';
import { Posting } from '../send/posting';
import { TypingSignals } from './typing-signals';

/** The place in which a user types, as their client names it. */
export type TypingDestination =
  | { readonly people: readonly number[] }
  | {
      readonly channelId: ChannelId;
      /** As the request has it. */
      readonly topic: string;
    };

/** Notifies others that the actor types a message, or has stopped (contract/messages.md section 9). */
export class SignalTyping extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly op: TypingOp,
    readonly to: TypingDestination,
  ) {
    super();
  }
}

@CommandHandler(SignalTyping)
export class SignalTypingHandler implements ICommandHandler<SignalTyping> {
  constructor(
    private readonly realms: RealmFacts,
    private readonly users: UserFacts,
    private readonly userAccess: UserAccess,
    private readonly posting: Posting,
    private readonly signals: TypingSignals,
  ) {}

  async execute({ by, op, to }: SignalTyping): Promise<void> {
    const place = 'people' in to ? await this.conversation(by, to.people) : await this.topic(by, to);
    await this.signals.send(by.realmId, { op, senderId: by.userId, place, messageId: null });
  }

  /** Deactivated users may be among them. */
  private async conversation(by: Actor, people: readonly number[]): Promise<TypedPlace> {
    await this.signals.ensureEnabled(by, 'direct');
    const accounts = await this.users.accounts(by.realmId, people);
    const inaccessible = await this.userAccess.inaccessibleAmong(by, people);
    if (people.some((id) => !accounts.has(id) || inaccessible.has(id))) throw reject.unknownRecipient();
    return { userIds: participants(by.userId, people as readonly UserId[]) };
  }

  private async topic(by: Actor, { channelId, topic }: { channelId: ChannelId; topic: string }): Promise<TypedPlace> {
    await this.signals.ensureEnabled(by, 'channel');
    await this.posting.ensureMayType(by, channelId, (await this.realms.of(by.realmId)).settings);
    return { channelId, topic: sentTopic(topic, EMPTY_TOPIC_DISPLAY_NAME) };
  }
}
