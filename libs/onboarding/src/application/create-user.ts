import { Kernel } from '@annals/kernel';
import type { Actor, UserId } from '@annals/kernel/domain';
import { Role, ensure } from '@annals/kernel/domain';
import { PASSWORD } from '@annals/realm';
import { Passwords, ensureStrong, mayCreateUsers } from '@annals/users';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { NewPeople } from './new-people';

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
    private readonly people: NewPeople,
    private readonly passwords: Passwords,
  ) {}

  async execute({ by, input }: CreateUser): Promise<UserId> {
    const userId = await this.kernel.ids.next(by.realmId, 'user');
    const password = await this.passwords.secretOf(userId, input.password);
    await this.kernel.work.run(by, async (work) => {
      ensure(mayCreateUsers(work.actor));
      ensureStrong(input.password, PASSWORD, [input.email, input.fullName]);
      const { email, fullName } = input;
      const member = { userId, email, fullName, role: Role.member, password };
      await this.people.add(work, { ...member, channels: [], withDefaultChannels: true, groups: [] });
    });
    return userId;
  }
}
