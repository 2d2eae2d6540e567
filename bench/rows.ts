import type { Floor, Goal } from './goals/goal';
import type { Figure, Figures } from './harness';
import { auditGoals } from './goals/audit';
import { costGoals } from './goals/cost';
import { feedGoals } from './goals/feed';
import { logGoals } from './goals/log';
import { messageGoals } from './goals/messages';
import { provisioningGoals } from './goals/provisioning';
import { organizationGoals } from './goals/organizations';
import { pushGoals } from './goals/push';
import { fairnessGoals, httpGoals, schedulingGoals, serverGoals } from './goals/server';
import { workerGoals } from './goals/workers';

/** The rows of the table in its order. */
const GOALS: readonly Goal[] = [
  ...logGoals,
  ...httpGoals,
  ...costGoals,
  ...workerGoals,
  ...serverGoals,
  ...messageGoals,
  ...auditGoals,
  ...feedGoals,
  ...schedulingGoals,
  ...fairnessGoals,
  ...organizationGoals,
  ...pushGoals,
  ...provisioningGoals,
];

/** A row of the table with its figures. */
export interface Row {
  readonly goal: string;
  readonly ours: Figure | null;
  readonly limit: Figure | null;
  readonly ratio: number | null;
  readonly floor: Floor | null;
  /** Null where nothing is asked. */
  readonly ok: boolean | null;
}

/** The rows of all goals whose figures exist. */
export function rowsOf(figures: Figures): Row[] {
  return GOALS.flatMap(({ goal, ours: oursName, limit: limitName, floor = null }) => {
    const ours = oursName === undefined ? null : figures[oursName];
    const limit = limitName === undefined ? null : figures[limitName];
    if (ours === undefined || limit === undefined) return [];
    const ratio = ours && limit && ours.value / limit.value;
    const judged = ratio ?? ours?.value;
    return [{ goal, ours, limit, ratio, floor, ok: floor && judged !== undefined ? reaches(judged, floor) : null }];
  });
}

const reaches = (value: number, floor: Floor): boolean =>
  'atLeast' in floor ? value >= floor.atLeast : value <= floor.atMost;
