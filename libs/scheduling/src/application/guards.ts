import type { Guard, Kernel, Work } from '@annals/kernel';
import { MAX_SCHEDULED, ensureRoom } from '../domain/scheduled-message';
import { countScheduled } from '../read/scheduled-row';

/**
 * Key: an account's id. Fails when it has the maximum of scheduled messages and reminders. A command that adds one
 * declares it as changed.
 */
export const scheduledRoom: Guard = {
  name: 'scheduled-room',
  failing: `SELECT g.ord::int4 AS ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS g(realm_id, key, ord)
    WHERE (SELECT count(*) FROM view.scheduled AS s
      WHERE s.realm_id = g.realm_id AND s.user_id = g.key::int8) >= ${MAX_SCHEDULED}`,
};

/** Requires that the actor may have one more. @throws Rejected BAD_REQUEST */
export async function holdRoom(work: Work, { database }: Kernel): Promise<void> {
  const { userId } = work.actor;
  ensureRoom(await countScheduled(database.pool, work.realmId, userId));
  work.guard(scheduledRoom, userId);
  work.changesGuard(scheduledRoom, userId);
}
