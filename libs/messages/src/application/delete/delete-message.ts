import { isDeepStrictEqual } from 'node:util';
import { channelAggregate } from '@annals/channels';
import { Conflict, Kernel, UnitOfWork } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Actor, ChannelId, MessageId } from '@annals/kernel/domain';
import { ensure } from '@annals/kernel/domain';
import type { RealmSettings } from '@annals/realm';
import { organization } from '@annals/realm';
import { UserFacts } from '@annals/users';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { Deletable, DeletionRules } from '../../domain/deletion';
import { mayDelete } from '../../domain/deletion';
import type { Place } from '../../domain/events';
import { reject } from '../../domain/rejections';
import { topicAggregate } from '../../domain/topic';
import { readDeletable } from '../../read/upkeep/deletable';
import { Deletions } from './deletions';
import { MessageAccess } from '../access/message-access';

/** Deletes one message (contract/messages.md section 6.1). */
export class DeleteMessage extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly messageId: MessageId,
  ) {
    super();
  }
}

@CommandHandler(DeleteMessage)
export class DeleteMessageHandler implements ICommandHandler<DeleteMessage> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
    private readonly access: MessageAccess,
    private readonly users: UserFacts,
    private readonly deletions: Deletions,
  ) {}

  async execute({ by, messageId }: DeleteMessage): Promise<void> {
    await this.work.run(by, async (work) => {
      const place = await this.access.ensure(work, messageId);
      const message = await this.message(work, messageId, place);
      const sender = await this.users.account(work.realmId, message.senderId);
      const { settings } = await organization(work);
      const channelId = 'channelId' in message.place ? message.place.channelId : null;
      const rules = await deletionRules(work, channelId, settings);
      ensure(mayDelete(message, sender?.botOwnerId ?? null, work.actor, rules, work.at));
      await this.deletions.apply(work, [message]);
    });
  }

  /** The topic is read before the message, so that the append depends on the message being where it was found. */
  private async message(work: Work, id: MessageId, place: Place): Promise<Deletable> {
    if ('topicId' in place) await work.read(topicAggregate, place.topicId);
    const message = await readDeletable(this.kernel.database.pool, work.realmId, id);
    if (!message) throw reject.unknownMessage();
    if (!isDeepStrictEqual(message.place, place)) throw new Conflict(`message ${id} was moved`);
    return message;
  }
}

/** The rules for deleting a message of a channel. @param channelId null for direct messages */
export async function deletionRules(
  work: Work,
  channelId: ChannelId | null,
  settings: RealmSettings,
): Promise<DeletionRules> {
  const channel = channelId === null ? null : await work.read(channelAggregate, channelId);
  return {
    organization: { any: settings.can_delete_any_message_group, own: settings.can_delete_own_message_group },
    channel: channel && {
      any: channel.settings.can_delete_any_message_group,
      own: channel.settings.can_delete_own_message_group,
    },
    limitSeconds: settings.message_content_delete_limit_seconds,
  };
}
