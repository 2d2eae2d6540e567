import { Resubscriptions } from '@annals/channels';
import { UnitOfWork } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Actor, BotType, UserId, Verdict } from '@annals/kernel/domain';
import { allowed } from '@annals/kernel/domain';
import { PeopleQuota, organization } from '@annals/realm';
import { handOver, isActive, mayCreateBot, reactivate, userAggregate } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';

/** Reactivates an account of a person or a bot (contract/users.md section 5). */
export class ReactivateUser extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly userId: UserId,
  ) {
    super();
  }
}

/** Reactivates accounts within a unit of work. */
@Injectable()
export class Reactivations {
  constructor(
    private readonly returns: Resubscriptions,
    private readonly quota: PeopleQuota,
  ) {}

  /**
   * @param by the actor, or a directory with `DIRECTORY_RIGHTS` for an account of a person
   * @throws Rejected when they may not, the account was deleted, or there is no room for another person
   */
  async reactivate(work: Work, userId: UserId, by: Pick<Actor, 'role'> = work.actor): Promise<void> {
    const account = await work.read(userAggregate, userId);
    const mayHaveBot = await verdictOnBot(work, account?.botType ?? null);
    await work.decide(userAggregate, userId, (state) => reactivate(state, by, { mayHaveBot }));
    if (account?.botType === null && !isActive(account)) await this.quota.ensureRoom(work);
    if (account?.botOwnerId) await giveNewOwner(work, userId, account.botOwnerId);
    if (account?.status.kind === 'deactivated') await this.returns.resubscribe(work, userId, account.status.since);
  }
}

@CommandHandler(ReactivateUser)
export class ReactivateUserHandler implements ICommandHandler<ReactivateUser> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly accounts: Reactivations,
  ) {}

  async execute({ by, userId }: ReactivateUser): Promise<void> {
    await this.work.run(by, (work) => this.accounts.reactivate(work, userId));
  }
}

/** Whether the actor may have a bot of this type, as a reactivation requires. */
export async function verdictOnBot(work: Work, type: BotType | null): Promise<Verdict> {
  if (type === null) return allowed;
  const { can_create_bots_group, can_create_write_only_bots_group } = (await organization(work)).settings;
  const rules = { canCreateBots: can_create_bots_group, canCreateWriteOnlyBots: can_create_write_only_bots_group };
  return mayCreateBot(work.actor, type, rules);
}

/** A bot whose owner was deactivated belongs to the user who reactivates it. */
async function giveNewOwner(work: Work, bot: UserId, owner: UserId): Promise<void> {
  const account = await work.read(userAggregate, owner);
  if (!account || !isActive(account)) await handOver(work, bot, work.actor.userId);
}
