import type { MessageId, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import { readReadStates } from '../flags/read-states';
import { readTimeline } from '../history/timeline/timeline';

/** Whether a user marked a message as read or lost access to it, and did not mark it as unread after that. */
export type HasRead = (user: UserId, message: MessageId) => boolean;

/**
 * Reads which users have read which messages since they received them (decision 41). Messages that were read on arrival do not
 * count.
 */
export async function readHasRead(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
  users: readonly UserId[],
): Promise<HasRead> {
  if (ids.length === 0 || users.length === 0) return () => false;
  const states = await readReadStates(client, realmId, ids, users);
  const timeline = await readTimeline(client, realmId, ids, users);
  return (user, message) => {
    const state = states(user);
    if (state.isMarkedRead(message)) return true;
    return timeline.implicitlyReadAt(message, user, state.markedUnreadAt(message) ?? message) !== undefined;
  };
}
