import type { UserId } from '@annals/kernel/domain';
import { given } from '../../../../test/support/events/recorded-events';
import { ONBOARDING_STEPS, onboardingStepsAggregate, seeOnboardingStep, unseenSteps } from './onboarding-steps';

const ME = 7 as UserId;
const [step] = ONBOARDING_STEPS;

describe('an onboarding step', () => {
  it('is seen once', () => {
    const events = seeOnboardingStep(new Set(), ME, step);
    expect(events).toMatchObject([{ type: 'personal.OnboardingStepSeen', data: { userId: 7, step } }]);
    const seen = given(onboardingStepsAggregate, ...events);
    expect(seeOnboardingStep(seen, ME, step)).toEqual([]);
    expect(unseenSteps(seen).map(({ name }) => name)).toEqual(ONBOARDING_STEPS.slice(1));
  });

  it('has a name that the server knows', () => {
    expect(() => seeOnboardingStep(new Set(), ME, 'tour')).toThrow('Unknown onboarding_step: tour');
  });
});
