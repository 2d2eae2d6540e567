import type { Work } from '@annals/kernel';
import { UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { organization } from '@annals/realm';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { userAggregate } from '../../domain/account/account';
import { changeOwnAvatar } from '../../domain/profile/avatar';
import { Avatars } from './avatars';
import { defaultAvatar } from './default-avatar';

/** Changes the picture of the actor (contract/users.md section 6). */
export class ChangeOwnAvatar extends Command<void> {
  /** @param picture its bytes as they were sent. Null for the default picture of the organization */
  constructor(
    readonly by: Actor,
    readonly picture: Uint8Array | null,
  ) {
    super();
  }
}

@CommandHandler(ChangeOwnAvatar)
export class ChangeOwnAvatarHandler implements ICommandHandler<ChangeOwnAvatar> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly avatars: Avatars,
  ) {}

  async execute({ by, picture }: ChangeOwnAvatar): Promise<void> {
    const change = (file: string | null) => this.work.run(by, (work) => this.record(work, file));
    const previous = await (picture ? this.avatars.keptFor(by, picture, change) : change(null));
    await this.avatars.discard(by.realmId, previous);
  }

  /** @returns the picture that is replaced */
  private async record(work: Work, own: string | null): Promise<string | null> {
    const { settings } = await organization(work);
    const file = own ?? (await defaultAvatar(work, work.actor.userId));
    const account = await work.read(userAggregate, work.actor.userId);
    const rules = { avatarChangesDisabled: settings.avatar_changes_disabled };
    await work.decide(userAggregate, work.actor.userId, (state) => changeOwnAvatar(state, file, work.actor, rules));
    const previous = account?.avatar.file ?? null;
    await this.avatars.unsettle(work.realmId, previous);
    return previous;
  }
}
