import { channelAggregate } from '@annals/channels';
import { Kernel, UnitOfWork } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Actor, MessageId } from '@annals/kernel/domain';
import { ensure } from '@annals/kernel/domain';
import { organization } from '@annals/realm';
import { UserFacts } from '@annals/users';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { Deletable, DeletionRules } from '../domain/deletion';
import { mayDelete } from '../domain/deletion';
import { reject } from '../domain/rejections';
import { readDeletable } from '../read/deletable';
import { Deletions } from './deletions';
import { WithinReach } from './within-reach';

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
    private readonly reach: WithinReach,
    private readonly users: UserFacts,
    private readonly deletions: Deletions,
  ) {}

  async execute({ by, messageId }: DeleteMessage): Promise<void> {
    await this.work.run(by, async (work) => {
      await this.reach.ensure(work, messageId);
      const message = await readDeletable(this.kernel.database.pool, work.realmId, messageId);
      if (!message) throw reject.unknownMessage();
      const sender = await this.users.account(work.realmId, message.senderId);
      const rules = await rulesFor(work, message);
      ensure(mayDelete(message, sender?.botOwnerId ?? null, work.actor, rules, work.at));
      await this.deletions.carryOut(work, [message]);
    });
  }
}

async function rulesFor(work: Work, { place }: Deletable): Promise<DeletionRules> {
  const { settings } = await organization(work);
  const channel = 'channelId' in place ? await work.read(channelAggregate, place.channelId) : null;
  return {
    organization: { any: settings.can_delete_any_message_group, own: settings.can_delete_own_message_group },
    channel: channel && {
      any: channel.settings.can_delete_any_message_group,
      own: channel.settings.can_delete_own_message_group,
    },
    limitSeconds: settings.message_content_delete_limit_seconds,
  };
}
