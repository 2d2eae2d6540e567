import type { UserId } from '@annals/kernel/domain';
import { unknownUser } from '@annals/users';
import type { LoadedMessages } from './message-row';

/** Those of whom a message shows more than the id, and who need not be known to its readers: they may have left a channel. */
export const sendersOf = ({ rows }: LoadedMessages): UserId[] => [
  ...new Set([...rows.values()].map(({ senderId }) => senderId)),
];

/** The messages as somebody is shown them who may not see these people (contract/permissions.md section 7). */
export function withoutStrangers(loaded: LoadedMessages, strangers: ReadonlySet<UserId>): LoadedMessages {
  if (strangers.size === 0) return loaded;
  const users = new Map(loaded.users);
  for (const userId of strangers) users.set(userId, unknownUser({ realmId: loaded.realmId, userId }));
  return { ...loaded, users };
}
