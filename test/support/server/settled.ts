import { setTimeout as pause } from 'node:timers/promises';
import type { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { CallRecorder } from '../events/call-recorder';

/** How long a lost wake-up may hold up a spec, in milliseconds. */
const LOOK_MS = 100;

/** How long a follower of the log may make no progress before the wait fails, in ms. */
const PATIENCE_MS = 60_000;

const BEHIND = `SELECT p.name, h.realm_id AS realm, coalesce(c.position, 0) AS "standsAt", h.position AS head
  FROM projections p CROSS JOIN realm_heads h LEFT JOIN projection_checkpoints c
    ON c.realm_id = h.realm_id AND c.projection = p.name AND c.generation = p.generation
  WHERE p.lifecycle <> 'inline' AND p.name = coalesce($1, p.name)
    AND c.status IS DISTINCT FROM 'parked' AND coalesce(c.position, 0) < h.position ORDER BY 1, 2`;

/**
 * Resolves when all background followers have reached the present head of the log: read models, and the translation
 * into client events. Parked followers are ignored.
 *
 * @param only the name of the one follower to wait for
 * @param patienceMs how long no follower may make progress, in ms
 * @throws Error with the followers that are behind, when none of them makes progress for so long
 */
export async function settled(kernel: Kernel, only?: string, patienceMs = PATIENCE_MS): Promise<void> {
  const moved = new CallRecorder();
  const received = new Map<RealmId, () => void>();
  let [last, giveUp] = ['', 0];
  try {
    for (;;) {
      const seen = moved.calls.length;
      const { rows } = await kernel.database.pool.query<{ readonly realm: RealmId }>(BEHIND, [only ?? null]);
      if (rows.length === 0) return;
      for (const { realm } of rows) {
        if (!received.has(realm)) received.set(realm, kernel.wakeUps.subscribe('client-events', realm, moved.listener));
      }
      const behind = JSON.stringify(rows);
      if (behind !== last) [last, giveUp] = [behind, performance.now() + patienceMs];
      if (performance.now() > giveUp) throw new Error(`nobody has moved for ${patienceMs} ms: ${behind}`);
      await Promise.race([moved.atLeast(seen + 1), pause(LOOK_MS)]);
    }
  } finally {
    for (const forget of received.values()) forget();
  }
}
