import type { ClientEvent, UserId } from '@annals/kernel/domain';

/** Type of the one client event that no client sees: all queues that these accounts have so far are over. */
export const QUEUES_ENDED = 'queues-ended';

/** Ends the queues of accounts: they were deactivated or their keys were revoked (contract/realtime.md section 3). */
export const queuesEnded = (users: readonly UserId[]): ClientEvent => ({
  type: QUEUES_ENDED,
  audience: { kind: 'users', users },
  payload: {},
  last: true,
});
