import type { FactOf } from '@annals/kernel/domain';
import { aboutRealm, count, defineEvent, t } from '@annals/kernel/domain';

/** How much a run did, by what it did. */
export const RUN_COUNTS = [
  'linked',
  'suspended',
  'restored',
  'renamed',
  'rolesChanged',
  'membershipsChanged',
  'profilesChanged',
  'picturesTaken',
  'problems',
] as const;
export type RunCounts = Readonly<Record<(typeof RUN_COUNTS)[number], number>>;

const counts = t.Unsafe<RunCounts>(t.Object(Object.fromEntries(RUN_COUNTS.map((name) => [name, count]))));

/** Stream `directory-{name}`: a run made accounts follow a directory. A run that changes nothing leaves no event. */
export const DirectorySynchronized = defineEvent('provisioning.DirectorySynchronized', {
  data: t.Object({ directory: t.String({ minLength: 1, maxLength: 40 }), counts }),
  subjects: aboutRealm,
});
export type DirectorySynchronized = FactOf<typeof DirectorySynchronized>;

/** The stream of the runs of a directory. */
export const directoryStream = (directory: string): string => `directory-${directory}`;
