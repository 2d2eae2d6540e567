import { UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { ORGANIZATION_STREAM } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { deactivateByOwner, standingAggregate } from '../../domain/organization/standing';

/** An owner deactivates the organization (contract/whole-interface.md section 1.1). */
export class DeactivateOrganization extends Command<void> {
  /** @param deletionDelayDays after which it is deleted. Null for never */
  constructor(
    readonly by: Actor,
    readonly deletionDelayDays: number | null,
  ) {
    super();
  }
}

@CommandHandler(DeactivateOrganization)
export class DeactivateOrganizationHandler implements ICommandHandler<DeactivateOrganization> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, deletionDelayDays }: DeactivateOrganization): Promise<void> {
    await this.work.run(by, (work) =>
      work.decide(standingAggregate, ORGANIZATION_STREAM, (state) =>
        deactivateByOwner(state, deletionDelayDays, work.actor, work.at),
      ),
    );
  }
}
