import { Kernel } from '@annals/kernel';
import type { Actor, UserId } from '@annals/kernel/domain';
import { Role, ensure } from '@annals/kernel/domain';
import { SubscriptionEffects, readDefaultChannels } from '@annals/channels';
import { PASSWORD } from '@annals/realm';
import type { NewAccount } from '@annals/users';
import { NewAccounts, Passwords, ensureStrong, mayCreateUsers } from '@annals/users';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';

export interface UserInput {
  readonly email: string;
  readonly fullName: string;
  readonly password: string;
}

/** Creates an account for another user, subscribed to the default channels (contract/users.md section 3). */
export class CreateUser extends Command<UserId> {
  constructor(
    readonly by: Actor,
    readonly input: UserInput,
  ) {
    super();
  }
}

@CommandHandler(CreateUser)
export class CreateUserHandler implements ICommandHandler<CreateUser> {
  constructor(
    private readonly kernel: Kernel,
    private readonly accounts: NewAccounts,
    private readonly passwords: Passwords,
    private readonly subscriptions: SubscriptionEffects,
  ) {}

  async execute({ by, input }: CreateUser): Promise<UserId> {
    const userId = await this.kernel.ids.next(by.realmId, 'user');
    const password = await this.passwords.secretOf(userId, input.password);
    await this.kernel.work.run(by, async (work) => {
      ensure(mayCreateUsers(work.actor));
      ensureStrong(input.password, PASSWORD, [input.email, input.fullName]);
      await this.accounts.open(work, newMember(userId, input));
      await this.accounts.setPassword(work, userId, password);
      const channels = await readDefaultChannels(this.kernel.database.pool, by.realmId);
      const toAll = channels.map((channelId) => ({ channelId, people: [userId], color: null, isNew: false }));
      await this.subscriptions.subscribe(work, toAll);
    });
    return userId;
  }
}

const newMember = (userId: UserId, { email, fullName }: UserInput): NewAccount => ({
  userId,
  email,
  fullName,
  role: Role.member,
  botType: null,
  botOwnerId: null,
  isSystemBot: false,
  awaitsFirstLogin: true,
  canCreateUsers: false,
  canChangeUserEmails: false,
});
