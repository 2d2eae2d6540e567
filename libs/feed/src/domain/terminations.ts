import type { ClientEvent, UserId } from '@annals/kernel/domain';

/** The existing queues of these accounts end. Their clients have to register again, if they may. */
export const QUEUES_ENDED = 'queues-ended';
/**
 * The waiting polls of these accounts are answered without events. Each client has to prove again that its key is
 * valid.
 */
export const POLLS_ENDED = 'polls-ended';

/** Whether this is a client event that no client sees. */
export const isTermination = (type: string): boolean => type === QUEUES_ENDED || type === POLLS_ENDED;

/** The payload of `QUEUES_ENDED`: only queues that were registered with one of these keys, or all of them. */
interface EndedPayload {
  readonly keyIds: readonly number[] | null;
}

/** The keys of the event. Null for all queues. */
export const keysOf = ({ payload }: Pick<ClientEvent, 'payload'>): EndedPayload['keyIds'] =>
  (payload as unknown as EndedPayload).keyIds;

/** For a deactivated account (contract/realtime.md section 3). */
export const queuesEnded = (users: readonly UserId[]): ClientEvent => ending(QUEUES_ENDED, users, { keyIds: null });
/** For revoked keys (contract/realtime.md section 3). The queues of the account's other keys remain. */
export const queuesOfKeysEnded = (user: UserId, keyIds: readonly number[]): ClientEvent =>
  ending(QUEUES_ENDED, [user], { keyIds });
/** For revoked keys: nothing that happens later reaches a poll that was sent with one. */
export const pollsEnded = (users: readonly UserId[]): ClientEvent => ending(POLLS_ENDED, users, {});

/** For a deactivated organization: nobody waits for anything any more. */
export const allPollsEnded = (): ClientEvent => ({ type: POLLS_ENDED, audience: { kind: 'everyone' }, payload: {} });

const ending = (
  type: string,
  users: readonly UserId[],
  payload: ClientEvent['payload'] | EndedPayload,
): ClientEvent => ({
  type,
  audience: { kind: 'users', users },
  payload: { ...payload },
});
