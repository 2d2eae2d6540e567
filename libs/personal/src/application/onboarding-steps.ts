import { UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { onboardingStepsAggregate, seeOnboardingStep } from '../domain/onboarding-steps';

/** Clients no longer show this step to the actor. */
export class SeeOnboardingStep extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly step: string,
  ) {
    super();
  }
}

@CommandHandler(SeeOnboardingStep)
export class SeeOnboardingStepHandler implements ICommandHandler<SeeOnboardingStep> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, step }: SeeOnboardingStep): Promise<void> {
    await this.work.run(by, async (work) => {
      const { userId } = work.actor;
      await work.decide(onboardingStepsAggregate, userId, (seen) => seeOnboardingStep(seen, userId, step));
    });
  }
}
