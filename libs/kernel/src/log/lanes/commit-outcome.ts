import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import type { BatchPlan } from '../append/batch';
import type { StatementAnswer } from '../statements/pipelined-batch';
import type { LaneConnection } from './lane-connection';
import { isLockTimeout } from '../../database/sql-states';
import { OutcomeUnknown } from '../errors';
import { LOCK_HEADS, OPEN_REALMS } from '../statements/head-locks';

/** How many tries there are: about a minute. */
const MAX_LOOKS = 64;
/** First pause before another try, doubled each time. */
const PAUSE_MS = 25;
const MAX_PAUSE_MS = 1_000;
/** How long a COMMIT that was sent may take to arrive, before its session is ended. */
const PATIENCE_MS = 1_000;

/**
 * Finds out, after the connection broke during a commit, whether the batch was stored. It takes the same locks, which
 * waits until the old transaction has ended, and reads the heads. It tries until it knows, because a guess could write
 * the batch twice. If the batch was not stored it never will be: see `LATER`.
 *
 * @throws OutcomeUnknown when the database does not answer
 */
export async function tookEffect(connection: LaneConnection, plan: BatchPlan): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await look(await connection.client(), plan);
    } catch (error) {
      await connection.rollback();
      if (attempt >= MAX_LOOKS) throw new OutcomeUnknown('nobody knows whether a commit took effect', { cause: error });
      if (isLockTimeout(error)) await connection.endFormerSessions().catch(() => connection.rollback());
      else await delay(Math.min(PAUSE_MS * 2 ** attempt, MAX_PAUSE_MS));
    }
  }
}

/**
 * A batch that was sent on the broken connection may arrive after this check, from a proxy for instance. It writes only if
 * the heads are as it assumed them. This check raises their time by a millisecond, and time never goes back. So such a batch
 * writes nothing.
 */
const LATER = 'UPDATE realm_heads SET at = at + 1 WHERE realm_id = ANY($1::int4[])';

async function look(client: Client, plan: BatchPlan): Promise<boolean> {
  const realms = [...plan.heads.keys()];
  const opened = plan.accepted.flatMap(({ append }) => (append.opensRealm ? [append.realmId] : []));
  await client.query('BEGIN');
  await client.query(`SET LOCAL lock_timeout = ${PATIENCE_MS}`);
  // A head that the old transaction has inserted is not visible before that has ended, but an insert of the same head
  // waits for it.
  if (opened.length > 0) await client.query(OPEN_REALMS, [opened]);
  await client.query(LOCK_HEADS, [realms]);
  const written = plan.accepted.flatMap(({ events }) => events)[0]?.recorded;
  // Secrets alone cannot be distinguished from earlier ones. To store them again changes nothing.
  const found =
    written &&
    (await client.query('SELECT 1 FROM events WHERE realm_id = $1 AND position = $2 AND command_id = $3', [
      written.realmId,
      written.position,
      written.commandId,
    ]));
  if (!found?.rowCount) await client.query(LATER, [realms]);
  if (opened.length > 0) await client.query(DROP_UNOPENED, [opened]);
  await client.query('COMMIT');
  return found?.rowCount === 1;
}

const DROP_UNOPENED = 'DELETE FROM realm_heads WHERE realm_id = ANY($1::int4[]) AND position = 0';

/** After an error inside the transaction PostgreSQL answers COMMIT with ROLLBACK and reports no error. */
export function ensureCommitted(answers: readonly StatementAnswer[]): void {
  if (answers.at(-1)?.tag !== 'COMMIT') throw new Error('the transaction was rolled back by PostgreSQL');
}
