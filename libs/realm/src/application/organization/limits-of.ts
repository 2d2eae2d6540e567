import type { Work } from '@annals/kernel';
import type { OrganizationLimits } from '../../domain/organization/limits';
import { LIMITS, limitsAggregate } from '../../domain/organization/limits';

/** What the organization of the unit of work may use. The append depends on it. */
export const limitsOf = (work: Work): Promise<OrganizationLimits> => work.read(limitsAggregate, LIMITS);
