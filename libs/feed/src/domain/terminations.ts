import type { ClientEvent, UserId } from '@annals/kernel/domain';

/** Queues that these accounts have so far are over: their clients have to register again, if they may. */
export const QUEUES_ENDED = 'queues-ended';
/** Polls that hang for these accounts end, with nothing: each client has to show anew that its key is good. */
export const POLLS_ENDED = 'polls-ended';

/** Whether this is a client event that no client sees. */
export const isTermination = (type: string): boolean => type === QUEUES_ENDED || type === POLLS_ENDED;

/** What `QUEUES_ENDED` carries: only queues that were registered with one of these keys, or all of them. */
interface EndedPayload {
  readonly keyIds: readonly number[] | null;
}

/** The keys of an ending; null for all queues. */
export const keysOf = ({ payload }: Pick<ClientEvent, 'payload'>): EndedPayload['keyIds'] =>
  (payload as unknown as EndedPayload).keyIds;

/** For a deactivated account (contract/realtime.md section 3). */
export const queuesEnded = (users: readonly UserId[]): ClientEvent => ending(QUEUES_ENDED, users, { keyIds: null });
/** For revoked keys (contract/realtime.md section 3); the queues of the account's other keys live on. */
export const queuesOfKeysEnded = (user: UserId, keyIds: readonly number[]): ClientEvent =>
  ending(QUEUES_ENDED, [user], { keyIds });
/** For revoked keys: nothing that happens later reaches a poll that came with one. */
export const pollsEnded = (users: readonly UserId[]): ClientEvent => ending(POLLS_ENDED, users, {});

const ending = (
  type: string,
  users: readonly UserId[],
  payload: ClientEvent['payload'] | EndedPayload,
): ClientEvent => ({
  type,
  audience: { kind: 'users', users },
  payload: { ...payload },
});
