import { defineContext } from '@annals/kernel';
import { departuresFeed } from '@annals/users';

/**
 * This context comes after those that it uses, so that the events of deactivated accounts in other contexts come before
 * the deactivation.
 */
export const onboardingContext = defineContext({ name: 'onboarding', feeds: [departuresFeed] });
