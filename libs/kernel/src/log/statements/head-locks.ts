import type { RealmId } from '../../domain/index';
import type { PipelinedStatement } from './pipelined-batch';
import { binaryArray } from '../../projections/rows/binary-arrays';
import { MAX_LOCK_MS } from '../lanes/lane-connection';

/** What becomes of heads that somebody else holds, see `lockAndRead`. */
export type Busy = 'wait' | 'pass over' | RealmId;

/** Longer than batches take; a transaction that holds a head for longer is slow. */
const MOMENT_MS = 100;

export const waitFor = (realmId: RealmId): PipelinedStatement[] => [
  { name: 'lane-moment', text: `SET LOCAL lock_timeout = ${MOMENT_MS}`, values: [] },
  lockHeads([realmId], 'wait'),
  { name: 'lane-no-moment', text: `SET LOCAL lock_timeout = ${MAX_LOCK_MS}`, values: [] },
];

/** Waits for other transactions that open one of them. */
export const OPEN_REALMS = 'INSERT INTO realm_heads SELECT unnest($1::int4[]), 0, 0 ON CONFLICT DO NOTHING';
/** With the realms' ids; in this order everywhere, or two lanes could wait for each other. */
export const LOCK_HEADS =
  'SELECT realm_id, position, at FROM realm_heads WHERE realm_id = ANY($1::int4[]) ORDER BY realm_id FOR UPDATE';
/** The same, without those that somebody else holds: one busy realm must not hold up all others of a batch. */
export const LOCK_FREE_HEADS = `${LOCK_HEADS} SKIP LOCKED`;

/** Locks the heads of these realms and answers where they are; without those that are passed over. */
export const lockHeads = (realms: readonly RealmId[], busy: Busy): PipelinedStatement => ({
  ...(busy === 'wait' ? { name: 'lane-lock', text: LOCK_HEADS } : { name: 'lane-lock-free', text: LOCK_FREE_HEADS }),
  values: [binaryArray('int4', realms)],
});
