import type { Kernel } from '@annals/kernel';
import type { Instant } from '@annals/kernel/domain';

/** Who takes an task and dies holds it up for so long, in ms: more than the push service may take for a page of people. */
const LEASE_MS = 30_000;

/** Until when an task that is taken now belongs to who took it. */
export const leaseExpiry = ({ clock }: Pick<Kernel, 'clock'>): Instant => (clock.now() + LEASE_MS) as Instant;

/** An task that cannot be carried out yet, because of another one. */
export class RetryLater extends Error {}

/** Somebody else carries an task out by now: who had taken it was too slow. */
export class LeaseLost extends Error {}
