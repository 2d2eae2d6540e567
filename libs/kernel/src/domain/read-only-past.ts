import { rejection } from './rejection';

/** The refusal of a write to a past (contract/audit.md section 4.2). */
export const readOnlyPast = rejection('READ_ONLY_PAST', 'This is the past of the organization. It cannot be changed.', {
  onPages: 'pastIsFixed',
});
