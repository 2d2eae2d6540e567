import { Kernel } from '@annals/kernel';
import type { Origin, RealmId } from '@annals/kernel/domain';
import { addMailTasks } from '@annals/mail';
import { PasswordResets } from '@annals/users';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';

/** The mail with the link to choose another password. Its key is the id of the request. */
export const RESET_MAIL = 'password-reset';

/** Asks for a link to choose another password. It takes the same steps for every address: whether there is an account is found later. */
export class AskForReset extends Command<void> {
  constructor(
    readonly realmId: RealmId,
    readonly email: string,
    readonly origin: Origin,
  ) {
    super();
  }
}

@CommandHandler(AskForReset)
export class AskForResetHandler implements ICommandHandler<AskForReset> {
  constructor(
    private readonly kernel: Kernel,
    private readonly resets: PasswordResets,
  ) {}

  async execute({ realmId, email, origin }: AskForReset): Promise<void> {
    const { database, clock } = this.kernel;
    const key = await this.resets.note(realmId, email, origin);
    await addMailTasks(database.pool, realmId, [{ kind: RESET_MAIL, key }], clock.now());
  }
}
