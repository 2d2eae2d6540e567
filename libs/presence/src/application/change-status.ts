import type { Work } from '@annals/kernel';
import { UnitOfWork } from '@annals/kernel';
import type { Actor, UserId } from '@annals/kernel/domain';
import { ensure } from '@annals/kernel/domain';
import type { EmojiInput } from '@annals/messages';
import { EmojiFacts, chosenToAdd } from '@annals/messages';
import { emojiAggregate } from '@annals/realm';
import { UserAccess, changeOwnSettings, isActive, ownSettingsAggregate, userAggregate } from '@annals/users';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { reject } from '../domain/rejections';
import type { StatusEmoji } from '../domain/status';
import { changeStatus, mayChangeStatus, statusAggregate } from '../domain/status';

/** The requested changes. A part that is left out keeps its value. */
export interface StatusInput {
  readonly text: string | undefined;
  /** As in a reaction; null for none. */
  readonly emoji: EmojiInput | null | undefined;
  /** An earlier name for a presence that is turned off. */
  readonly isAway: boolean | undefined;
}

/** Changes the status of the actor or of another user. */
export class ChangeStatus extends Command<void> {
  /** @param userId null for the actor */
  constructor(
    readonly by: Actor,
    readonly userId: number | null,
    readonly input: StatusInput,
  ) {
    super();
  }
}

@CommandHandler(ChangeStatus)
export class ChangeStatusHandler implements ICommandHandler<ChangeStatus> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly access: UserAccess,
    private readonly emoji: EmojiFacts,
  ) {}

  async execute({ by, userId, input }: ChangeStatus): Promise<void> {
    await this.work.run(by, async (work) => {
      const id = (userId ?? work.actor.userId) as UserId;
      const account = await work.read(userAggregate, id);
      const hidden = await this.access.inaccessibleAmong(work.actor, [id]);
      if (!account || account.isSystemBot || hidden.size > 0) throw reject.noSuchUser();
      ensure(mayChangeStatus(work.actor, { ...account, isActive: isActive(account) }, userId === null));
      const emoji = input.emoji ? await this.chosen(work, input.emoji) : input.emoji;
      await work.decide(statusAggregate, id, (status) => changeStatus(status, id, { text: input.text, emoji }));
      if (input.isAway === undefined) return;
      const settings = { presence_enabled: !input.isAway };
      await work.decide(ownSettingsAggregate, id, (state) => changeOwnSettings(state, id, settings));
    });
  }

  /** The append depends on a custom emoji, which may be deactivated at the same time. */
  private async chosen(work: Work, input: EmojiInput): Promise<StatusEmoji> {
    const { type, code, name } = chosenToAdd(input, [], await this.emoji.known(work.realmId));
    if (type === 'realm_emoji') await work.read(emojiAggregate, Number(code));
    return { type, code, name };
  }
}
