import type { UserId } from '@annals/kernel/domain';
import { unknownUser } from '@annals/users';
import type { LoadedMessages } from './message-row';

/** The senders of messages. A sender may have left the channel, so a reader with restricted access may not see them. */
export const sendersOf = ({ rows }: LoadedMessages): UserId[] => [
  ...new Set([...rows.values()].map(({ senderId }) => senderId)),
];

/** The messages for a reader who cannot access these users (contract/permissions.md section 7). */
export function maskInaccessibleUsers(loaded: LoadedMessages, inaccessible: ReadonlySet<UserId>): LoadedMessages {
  if (inaccessible.size === 0) return loaded;
  const users = new Map(loaded.users);
  for (const userId of inaccessible) users.set(userId, unknownUser({ realmId: loaded.realmId, userId }));
  return { ...loaded, users };
}
