import { defineFeed, definePresenter, translate } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import { OnboardingStepSeen } from '../domain/events';
import { unseenSteps } from '../domain/onboarding-steps';
import { readSeenSteps } from '../read/onboarding-steps';

/** contract/realtime.md section 6.4 */
export const onboardingStepsFeed = defineFeed({
  name: 'onboarding-steps',
  translations: [
    translate(OnboardingStepSeen, ({ data: { userId } }) => [
      { type: 'onboarding_steps', audience: { kind: 'users', users: [userId] }, payload: { userId } },
    ]),
  ],
});

/** The whole list as it is now. Each later change has an event of its own, which follows. */
export const onboardingStepsPresenter = definePresenter<ReadonlyMap<UserId, readonly string[]>>({
  type: 'onboarding_steps',
  load: ({ client, realmId }, events) => {
    const userIds = events.map(({ payload }) => (payload as Pick<OnboardingStepSeen['data'], 'userId'>).userId);
    return readSeenSteps(client, realmId, [...new Set(userIds)]);
  },
  present: (_, seen, { userId }) => [
    { type: 'onboarding_steps', onboarding_steps: unseenSteps(new Set(seen.get(userId))) },
  ],
  variant: () => 'all',
});
