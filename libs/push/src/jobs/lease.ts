import type { Kernel } from '@annals/kernel';
import type { Instant } from '@annals/kernel/domain';

/**
 * Duration of a lease in ms: how long a process that dies delays a task. Longer than one request to the push service
 * may take.
 */
const LEASE_MS = 30_000;

/** When a lease that starts now expires. */
export const leaseExpiry = ({ clock }: Pick<Kernel, 'clock'>): Instant => (clock.now() + LEASE_MS) as Instant;

/** A task must wait for another one. */
export class RetryLater extends Error {}

/** Another process has leased the task, because this one was too slow. */
export class LeaseLost extends Error {}
