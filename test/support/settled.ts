import { setTimeout as pause } from 'node:timers/promises';
import type { Kernel } from '@annals/kernel';
import { Heard } from './heard';

/** How long a lost wake-up may hold up a spec, in milliseconds. */
const LOOK_MS = 100;

const BEHIND = `SELECT p.name FROM projections p CROSS JOIN realm_heads h
  LEFT JOIN projection_checkpoints c
    ON c.realm_id = h.realm_id AND c.projection = p.name AND c.generation = p.generation
  WHERE p.lifecycle <> 'inline' AND c.status IS DISTINCT FROM 'parked' AND coalesce(c.position, 0) < h.position`;

/**
 * Resolves when everybody who follows the log in the background has come to where it is now: read models, and the
 * translation into client events. One that is parked is not waited for.
 *
 * @param only the name of the one follower to wait for
 */
export async function settled(kernel: Kernel, only?: string): Promise<void> {
  const moved = new Heard();
  const forget = kernel.wakeUps.subscribe('client-events', moved.listener);
  try {
    for (;;) {
      const seen = moved.calls.length;
      const { rows } = await kernel.database.pool.query<{ name: string }>(BEHIND);
      if (!rows.some(({ name }) => only === undefined || name === only)) return;
      await Promise.race([moved.atLeast(seen + 1), pause(LOOK_MS)]);
    }
  } finally {
    forget();
  }
}
