import type { Kernel } from '@annals/kernel';
import type { Instant } from '@annals/kernel/domain';

/** Who takes an errand and dies holds it up for so long, in ms: more than the push service may take for a page of people. */
const TAKEN_MS = 30_000;

/** Until when an errand that is taken now belongs to who took it. */
export const takenUntil = ({ clock }: Pick<Kernel, 'clock'>): Instant => (clock.now() + TAKEN_MS) as Instant;

/** An errand that cannot be carried out yet, because of another one. */
export class NotYet extends Error {}

/** Somebody else carries an errand out by now: who had taken it was too slow. */
export class Overtaken extends Error {}
