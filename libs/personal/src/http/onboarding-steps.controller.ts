import type { Actor } from '@annals/kernel/domain';
import { By, Endpoint, Params, TextParam } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { SeeOnboardingStep } from '../application/onboarding-steps';

export class OnboardingStepParams {
  @TextParam({ max: 100, quoted: true }) onboarding_step: string;
}

@Controller()
export class OnboardingStepsController {
  constructor(private readonly commands: CommandBus) {}

  /** contract/whole-interface.md section 1.1 */
  @Endpoint('POST', 'users/me/onboarding_steps', {
    audience: 'humans',
    section: 'whole-interface 1.1',
    summary: 'Mark an onboarding step as seen',
    command: 'SeeOnboardingStep',
    returns: null,
  })
  async see(@By() by: Actor, @Params(OnboardingStepParams) { onboarding_step }: OnboardingStepParams): Promise<void> {
    await this.commands.execute(new SeeOnboardingStep(by, onboarding_step));
  }
}
