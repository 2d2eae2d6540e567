import { UnitOfWork } from '@annals/kernel';
import type { Actor, UserId } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Injectable } from '@nestjs/common';
import { mutedUsersAggregate, muteUser, unmuteUser } from '../../domain/muting/muted-users';
import { reject } from '../../domain/rejections';
import { UserAccess } from '../../read/account/user-access';
import { UserFacts } from '../../read/account/user-facts';
import { MutedMessages } from './muted-messages';

/** Finds the users that may be muted: people and bots, deactivated or not, that the actor can see. */
@Injectable()
export class MutableUsers {
  constructor(
    private readonly users: UserFacts,
    private readonly access: UserAccess,
  ) {}

  /** @throws Rejected BAD_REQUEST for a user who does not exist, and for one whom the actor cannot see */
  async find(by: Actor, id: number): Promise<UserId> {
    const user = await this.users.account(by.realmId, id);
    if (!user || (await this.access.inaccessibleAmong(by, [user.userId])).size > 0) throw reject.noSuchUser();
    return user.userId;
  }
}

/** Mutes a user for the actor; the messages of that user become read, and later ones are read from the start. */
export class MuteUser extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly mutedUserId: number,
  ) {
    super();
  }
}

@CommandHandler(MuteUser)
export class MuteUserHandler implements ICommandHandler<MuteUser> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly users: MutableUsers,
    private readonly messages: MutedMessages,
  ) {}

  async execute({ by, mutedUserId }: MuteUser): Promise<void> {
    const other = await this.work.run(by, async (work) => {
      const { userId } = work.actor;
      const found = await this.users.find(work.actor, mutedUserId);
      await work.decide(mutedUsersAggregate, userId, (muted) => muteUser(muted, userId, found));
      await this.messages.markRead(work, found);
      return found;
    });
    // Messages that were sent while the first step looked for unread ones are before the mute: they are not read from the start.
    await this.work.run(by, (work) => this.messages.markRead(work, other));
  }
}

/** Later messages of that user are unread again; earlier ones stay read. */
export class UnmuteUser extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly mutedUserId: number,
  ) {
    super();
  }
}

@CommandHandler(UnmuteUser)
export class UnmuteUserHandler implements ICommandHandler<UnmuteUser> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly users: MutableUsers,
  ) {}

  async execute({ by, mutedUserId }: UnmuteUser): Promise<void> {
    await this.work.run(by, async (work) => {
      const { userId } = work.actor;
      const other = await this.users.find(work.actor, mutedUserId);
      await work.decide(mutedUsersAggregate, userId, (muted) => unmuteUser(muted, userId, other));
    });
  }
}
