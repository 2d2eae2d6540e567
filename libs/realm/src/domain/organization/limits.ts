import type { Aggregate } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { LimitsChanged } from './organization-events';

/** What the operator allows an organization to use. Null is no limit. */
export interface OrganizationLimits {
  /** Active accounts of people. Bots do not count. */
  readonly people: number | null;
  /** MiB of all uploaded files. */
  readonly storageMib: number | null;
  /** Requests in a minute of all accounts together. */
  readonly requests: number | null;
  /** MiB of the events in the log. */
  readonly logMib: number | null;
}

export const LIMIT_NAMES = ['people', 'storageMib', 'requests', 'logMib'] as const;

export const NO_LIMITS: OrganizationLimits = { people: null, storageMib: null, requests: null, logMib: null };

/** Key and name of the one stream of an organization's limits. */
export const LIMITS = 'limits';

export const limitsAggregate: Aggregate<OrganizationLimits, LimitsChanged, typeof LIMITS> = {
  stream: (key) => key,
  initial: NO_LIMITS,
  evolve: (_, { data }) => data.limits,
};

/** Sets some limits, or removes them. What the organization has beyond a limit stays. */
export function changeLimits(state: OrganizationLimits, changes: Partial<OrganizationLimits>): LimitsChanged[] {
  const limits = { ...state, ...changes };
  if (LIMIT_NAMES.every((name) => limits[name] === state[name])) return [];
  return [fact(LimitsChanged, { limits, previous: state })];
}

/** The stricter one of two limits. Null is no limit. */
export function smallerLimit(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
