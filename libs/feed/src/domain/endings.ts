import type { ClientEvent, UserId } from '@annals/kernel/domain';

/** All queues that these accounts have so far are over: their clients have to register again, if they may. */
export const QUEUES_ENDED = 'queues-ended';
/** Polls that hang for these accounts end, with nothing: each client has to show anew that its key is good. */
export const POLLS_ENDED = 'polls-ended';

/** Whether this is a client event that no client sees. */
export const isEnding = (type: string): boolean => type === QUEUES_ENDED || type === POLLS_ENDED;

/** For a deactivated account (contract/realtime.md section 3). */
export const queuesEnded = (users: readonly UserId[]): ClientEvent => ending(QUEUES_ENDED, users);
/** For revoked keys: nothing that happens later reaches a poll that came with one. */
export const pollsEnded = (users: readonly UserId[]): ClientEvent => ending(POLLS_ENDED, users);

const ending = (type: string, users: readonly UserId[]): ClientEvent => ({
  type,
  audience: { kind: 'users', users },
  payload: {},
});
