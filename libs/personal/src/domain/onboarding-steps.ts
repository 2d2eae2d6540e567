import type { UserId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import { OnboardingStepSeen } from './events';
import { reject } from './rejections';

/**
 * What clients explain to a user once, in the order of the API. The tour in a video is left out, because the server has
 * none, and so is the first conversation with a welcome bot.
 */
export const ONBOARDING_STEPS = [
  'visibility_policy_banner',
  'intro_inbox_view_modal',
  'intro_recent_view_modal',
  'first_stream_created_banner',
  'jump_to_conversation_banner',
  'non_interleaved_view_messages_fading',
  'interleaved_view_messages_fading',
  'intro_resolve_topic',
] as const;

/** The steps that a user has seen. */
export const onboardingStepsAggregate = defineAggregate<ReadonlySet<string>, OnboardingStepSeen, UserId>(
  'onboarding-steps',
  new Set(),
  (seen, { data }) => new Set([...seen, data.step]),
);

/**
 * A step that was seen before gives no event.
 *
 * @throws Rejected BAD_REQUEST for an unknown step
 */
export function seeOnboardingStep(seen: ReadonlySet<string>, userId: UserId, step: string): OnboardingStepSeen[] {
  if (!ONBOARDING_STEPS.some((known) => known === step)) throw reject.unknownOnboardingStep({ step });
  return seen.has(step) ? [] : [fact(OnboardingStepSeen, { userId, step })];
}

/** The steps that clients still show, as the API has them. */
export const unseenSteps = (seen: ReadonlySet<string>) =>
  ONBOARDING_STEPS.filter((step) => !seen.has(step)).map((name) => ({ type: 'one_time_notice', name }));
