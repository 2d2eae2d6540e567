import type { FailureReason } from '../domain/events';

/** Why a delivery failed. */
export const FAILURE_TEXTS: Readonly<Record<FailureReason, string>> = {
  refused: 'it was refused',
  late: 'it was too late',
  author: 'its author could not act',
  internal: 'the server failed',
};

/** A time in a sentence. */
export const timeOf = (at: number): string => new Date(at).toISOString();
