import { defineProjection, on } from '@annals/kernel';
import { ProfileDeleted } from '@annals/users';
import { OnboardingStepSeen } from '../domain/events';

/** The onboarding steps that users have seen. */
export const onboardingStepsView = defineProjection({
  name: 'onboarding_steps',
  version: 1,
  lifecycle: 'inline',
  tables: {
    onboarding_steps: { columns: { user_id: 'int8', step: 'text' }, key: ['user_id', 'step'] },
  },
  handlers: [
    on(OnboardingStepSeen, ({ data: { userId, step } }, rows) =>
      rows.insert('onboarding_steps', { user_id: userId, step }),
    ),
    on(ProfileDeleted, ({ data: { userId } }, rows) => rows.delete('onboarding_steps', { user_id: userId })),
  ],
});
