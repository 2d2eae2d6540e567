import type { MessageId, Position, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import { readTimeline } from './timeline/timeline';

/** When users lost access to messages after a position, which made them read; undefined where they did not. */
export type ImplicitReads = (message: MessageId, user: UserId, after: number) => Position | undefined;

/** Reads which messages were implicitly read, as `Timeline.implicitlyReadAt` defines it. */
export async function readImplicitReads(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
  users: readonly UserId[],
): Promise<ImplicitReads> {
  if (ids.length === 0 || users.length === 0) return () => undefined;
  const timeline = await readTimeline(client, realmId, ids, users);
  return (message, user, after) => timeline.implicitlyReadAt(message, user, after);
}
