import type { RegisterBlock } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';
import { unseenSteps } from '../domain/onboarding-steps';

/** The steps that each of these users has seen. Users who have seen none are left out. */
export async function readSeenSteps(
  client: ClientBase,
  realmId: RealmId,
  userIds: readonly UserId[],
): Promise<ReadonlyMap<UserId, readonly string[]>> {
  const { rows } = await client.query<{ userId: UserId; step: string }>({
    name: 'personal-onboarding-steps',
    text: `SELECT user_id AS "userId", step FROM view.onboarding_steps
      WHERE realm_id = $1 AND user_id = ANY($2::int8[]) ORDER BY user_id, step`,
    values: [realmId, userIds],
  });
  return grouped(
    rows,
    ({ userId }) => userId,
    ({ step }) => step,
  );
}

/** contract/boot.md section 4.1 */
export const onboardingStepsRegisterBlock: RegisterBlock = {
  keys: ['onboarding_steps'],
  read: async ({ client, realmId }, { userId }) => {
    const seen = await readSeenSteps(client, realmId, [userId]);
    return { onboarding_steps: unseenSteps(new Set(seen.get(userId))), navigation_tour_video_url: null };
  },
};
