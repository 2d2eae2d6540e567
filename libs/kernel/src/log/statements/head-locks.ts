import type { RealmId } from '../../domain/index';
import type { PipelinedStatement } from './pipelined-batch';
import { binaryArray } from '../../projections/rows/binary-arrays';
import { MAX_LOCK_MS } from '../lanes/lane-connection';

/** How to treat heads that another session holds, see `lockAndRead`. */
export type Busy = 'wait' | 'pass over' | RealmId;

/** Longer than batches take. A transaction that holds a head for longer is slow. */
const MOMENT_MS = 100;

export const waitFor = (realmId: RealmId): PipelinedStatement[] => [
  { name: 'lane-moment', text: `SET LOCAL lock_timeout = ${MOMENT_MS}`, values: [] },
  lockHeads([realmId], 'wait'),
  { name: 'lane-no-moment', text: `SET LOCAL lock_timeout = ${MAX_LOCK_MS}`, values: [] },
];

/** Waits for other transactions that insert one of them. */
export const OPEN_REALMS = 'INSERT INTO realm_heads SELECT unnest($1::int4[]), 0, 0 ON CONFLICT DO NOTHING';
/** With the realms' ids. All lanes lock in this order, or two could wait for each other. */
export const LOCK_HEADS =
  'SELECT realm_id, position, at FROM realm_heads WHERE realm_id = ANY($1::int4[]) ORDER BY realm_id FOR UPDATE';
/** The same without those that another session holds: one busy realm must not delay all others of a batch. */
export const LOCK_FREE_HEADS = `${LOCK_HEADS} SKIP LOCKED`;

/** Locks the heads of these realms and returns their positions, without those that are passed over. */
export const lockHeads = (realms: readonly RealmId[], busy: Busy): PipelinedStatement => ({
  ...(busy === 'wait' ? { name: 'lane-lock', text: LOCK_HEADS } : { name: 'lane-lock-free', text: LOCK_FREE_HEADS }),
  values: [binaryArray('int4', realms)],
});
