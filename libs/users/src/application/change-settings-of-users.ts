import type { Work } from '@annals/kernel';
import { UnitOfWork } from '@annals/kernel';
import type { Actor, GroupId, UserId } from '@annals/kernel/domain';
import { ensure } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { mayChangeSettingsOfOthers } from '../domain/policies';
import { reject } from '../domain/rejections';
import { changeSettingsOf, endsDraftsSynchronization, ownSettingsAggregate } from '../domain/settings/own-settings';
import type { OwnSettings } from '../domain/settings/settings';
import { UserFacts } from '../read/account/user-facts';
import { TargetGroups } from '../read/settings/target-groups';
import { SynchronizedDrafts } from './synchronized-drafts';

/** Users whose settings are changed in one request. */
export interface Targets {
  readonly userIds: readonly UserId[];
  readonly groupIds: readonly GroupId[];
  /** Leaves each setting of users who have changed it themselves. */
  readonly skipEdited: boolean;
}

/** Users in one request: each changed user is an event, and all are in one append. */
const MAX_TARGETS = 5_000;

/** Changes settings of other users, of all or of none (contract/whole-interface.md section 1). Bots have no settings to change. */
export class ChangeSettingsOfUsers extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly input: Partial<OwnSettings>,
    readonly targets: Targets,
  ) {
    super();
  }
}

@CommandHandler(ChangeSettingsOfUsers)
export class ChangeSettingsOfUsersHandler implements ICommandHandler<ChangeSettingsOfUsers> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly users: UserFacts,
    private readonly groups: TargetGroups,
    private readonly drafts: SynchronizedDrafts,
  ) {}

  async execute({ by, input, targets }: ChangeSettingsOfUsers): Promise<void> {
    await this.work.run(by, async (work) => {
      ensure(mayChangeSettingsOfOthers(work.actor, input));
      const people = await this.peopleIn(work, targets);
      await work.readAll(ownSettingsAggregate, people);
      const withoutDrafts: UserId[] = [];
      for (const userId of people) {
        const changes = await work.decide(ownSettingsAggregate, userId, (state) =>
          changeSettingsOf(state, userId, input, targets.skipEdited),
        );
        if (endsDraftsSynchronization(changes)) withoutDrafts.push(userId);
      }
      await this.drafts.discard(work, withoutDrafts);
    });
  }

  /** @throws Rejected BAD_REQUEST for an unknown user or group, for nobody, and for too many users */
  private async peopleIn({ actor }: Work, { userIds, groupIds }: Targets): Promise<UserId[]> {
    if (userIds.length + groupIds.length === 0) throw reject.noTargets();
    const members = await Promise.all(groupIds.map((group) => this.groups.membersOf(actor, group)));
    const ids = [...new Set([...userIds, ...members.flat()])];
    if (ids.length > MAX_TARGETS) throw reject.tooManyTargets({ limit: MAX_TARGETS });
    const accounts = await this.users.accounts(actor.realmId, ids);
    return ids.filter((id) => {
      const account = accounts.get(id);
      if (!account) throw reject.unknownTarget({ id });
      return account.botType === null && !account.isDeleted;
    });
  }
}
