import type { Kernel } from '@annals/kernel';
import { feedReader } from '@annals/kernel';
import type { Actor, MessageId } from '@annals/kernel/domain';
import { mayHaveHiddenHistory, readVisibleHistory } from '../history/visible-history';
import type { MessageChange } from './changes';
import type { LoadedMessages } from './message-row';

/**
 * The messages without the changes that a reader could not see when they happened (decision 39). Few messages were ever
 * changed and may hide some: for the others nothing is read.
 */
export async function withoutUnseenPast(
  { database, events }: Kernel,
  by: Actor,
  loaded: LoadedMessages,
): Promise<LoadedMessages> {
  const changed = [...loaded.changes.keys()].flatMap((id) => loaded.rows.get(id) ?? []).filter(mayHaveHiddenHistory);
  if (changed.length === 0) return loaded;
  const past = await database.snapshot((client) =>
    readVisibleHistory(feedReader(events, by.realmId, client), by, changed),
  );
  const changes = new Map<MessageId, readonly MessageChange[]>();
  for (const [id, all] of loaded.changes) {
    const seen = all.filter((change) => past.shows(id, change));
    if (seen.length > 0) changes.set(id, seen);
  }
  return { ...loaded, changes };
}
