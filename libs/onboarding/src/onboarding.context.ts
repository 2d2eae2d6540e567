import { defineContext } from '@annals/kernel';
import { departuresFeed } from '@annals/users';

/** Comes after the contexts it brings together, so that what accounts leave behind is told before that they left. */
export const onboardingContext = defineContext({ name: 'onboarding', feeds: [departuresFeed] });
