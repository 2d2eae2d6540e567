import type { Work } from '@annals/kernel';
import { UnitOfWork } from '@annals/kernel';
import type { Actor, UserId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { DIRECTORY_RIGHTS } from '../../domain/policies';
import { PROFILE_FIELDS, profileFieldsAggregate } from '../../domain/profile/profile-fields';
import type { ValuePatch } from '../../domain/profile/profile-values';
import { changeProfile, peopleNamed, profileAggregate } from '../../domain/profile/profile-values';
import { UserAccess } from '../../read/account/user-access';
import { UserFacts } from '../../read/account/user-facts';
import { stillActive } from '../guards';

/** Values of profile fields, as part of a larger command. */
@Injectable()
export class ProfileValues {
  constructor(
    private readonly facts: UserFacts,
    private readonly userAccess: UserAccess,
  ) {}

  /** Changes a user's profile. If a field is changed or deleted meanwhile, the command is decided again. */
  async change(work: Work, userId: UserId, inputs: readonly ValuePatch[]): Promise<void> {
    const fields = await work.read(profileFieldsAggregate, PROFILE_FIELDS);
    const people = await this.activePeople(work, peopleNamed(inputs));
    const rules = { fields, people, actor: work.actor };
    await work.decide(profileAggregate, userId, (profile) => changeProfile(profile, userId, inputs, rules));
  }

  /** Changes a user's profile for a directory, which names no users in values. */
  async fill(work: Work, userId: UserId, inputs: readonly ValuePatch[]): Promise<void> {
    const fields = await work.read(profileFieldsAggregate, PROFILE_FIELDS);
    const rules = { fields, people: new Set<number>(), actor: DIRECTORY_RIGHTS };
    await work.decide(profileAggregate, userId, (profile) => changeProfile(profile, userId, inputs, rules));
  }

  /** Those of them that are people with active accounts and that the actor may see. */
  private async activePeople(work: Work, ids: readonly number[]): Promise<ReadonlySet<number>> {
    const accounts = await this.facts.accounts(work.realmId, ids);
    const inaccessible = await this.userAccess.inaccessibleAmong(work.actor, [...accounts.keys()]);
    const people = [...accounts.values()].filter(
      ({ userId, isActive, botType }) => isActive && botType === null && !inaccessible.has(userId),
    );
    for (const { userId } of people) work.guard(stillActive, userId);
    return new Set(people.map(({ userId }) => userId));
  }
}

/** INTERFACE.md 4.13 */
export class UpdateOwnProfile extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly values: readonly ValuePatch[],
  ) {
    super();
  }
}

@CommandHandler(UpdateOwnProfile)
export class UpdateOwnProfileHandler implements ICommandHandler<UpdateOwnProfile> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly profiles: ProfileValues,
  ) {}

  async execute({ by, values }: UpdateOwnProfile): Promise<void> {
    await this.work.run(by, (work) => this.profiles.change(work, work.actor.userId, values));
  }
}
