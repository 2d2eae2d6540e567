import type { EventDescription } from '@annals/kernel';
import { describeEvent } from '@annals/kernel';
import { OnboardingStepSeen } from '../domain/events';

const seen = describeEvent(OnboardingStepSeen, {
  meaning: 'A user has seen a step of the introduction to a client. Clients do not show it again.',
  commands: ['SeeOnboardingStep'],
  sentence: ({ data }) => [`has seen the onboarding step ${data.step}`],
});

export const onboardingDescriptions: readonly EventDescription[] = [seen];
