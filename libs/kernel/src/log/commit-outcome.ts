import { setTimeout as delay } from 'node:timers/promises';
import type { Plan } from './batch';
import type { Answer } from './burst';
import type { LaneConnection } from './lane-connection';
import { OutcomeUnknown } from './errors';
import { LOCK_HEADS } from './lane-statements';

/** How often it is asked: about a minute. */
const MAX_LOOKS = 64;
/** First pause before another look, doubled each time. */
const PAUSE_MS = 25;
const MAX_PAUSE_MS = 1_000;

/**
 * After the connection broke while a commit was under way, whether the batch was stored: takes the same locks, which
 * waits until the old transaction has ended, and looks. Until it knows it goes on asking; guessing could write the batch
 * twice.
 *
 * @throws OutcomeUnknown when nobody answers
 */
export async function tookEffect(connection: LaneConnection, plan: Plan): Promise<boolean> {
  const written = plan.placed.flatMap(({ events }) => events)[0]?.recorded;
  // Nothing but secrets: to write them again changes nothing.
  if (!written) return false;
  for (let attempt = 1; ; attempt++) {
    try {
      const client = await connection.client();
      await client.query('BEGIN');
      await client.query(LOCK_HEADS, [[...plan.heads.keys()]]);
      const found = await client.query(
        'SELECT 1 FROM events WHERE realm_id = $1 AND position = $2 AND command_id = $3',
        [written.realmId, written.position, written.commandId],
      );
      await connection.rollback();
      return found.rowCount === 1;
    } catch (error) {
      await connection.rollback();
      if (attempt >= MAX_LOOKS) throw new OutcomeUnknown('nobody knows whether a commit took effect', { cause: error });
      await delay(Math.min(PAUSE_MS * 2 ** attempt, MAX_PAUSE_MS));
    }
  }
}

/** After an error inside the transaction PostgreSQL answers COMMIT with ROLLBACK and reports no error. */
export function ensureCommitted(answers: readonly Answer[]): void {
  if (answers.at(-1)?.tag !== 'COMMIT') throw new Error('the transaction was rolled back by PostgreSQL');
}
