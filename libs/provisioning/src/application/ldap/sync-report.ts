import { roleName } from '@annals/kernel/domain';
import type { DirectoryChange, DirectoryProblem } from '../../domain/ldap/directory-change';
import type { RunCounts } from '../../domain/ldap/events';
import type { RunOutcome } from '../../read/ldap/directory-runs';

/** What a run did, or would do. */
export interface SyncReport {
  readonly directory: string;
  readonly isDryRun: boolean;
  readonly outcome: RunOutcome;
  /** Why it was refused or failed. Null if it is done. */
  readonly reason: string | null;
  readonly changes: readonly DirectoryChange[];
  readonly problems: readonly DirectoryProblem[];
  readonly counts: RunCounts;
}

/** How much some changes do. */
export function countsOf(changes: readonly DirectoryChange[], problems: readonly DirectoryProblem[]): RunCounts {
  const having = (has: (change: DirectoryChange) => boolean) => changes.filter(has).length;
  return {
    linked: having(({ subject }) => subject !== undefined),
    suspended: having(({ suspended }) => suspended !== undefined),
    restored: having(({ isRestored }) => isRestored === true),
    renamed: having(({ fullName }) => fullName !== undefined),
    rolesChanged: having(({ role }) => role !== undefined),
    membershipsChanged: changes.reduce((sum, { joins, leaves }) => sum + joins.length + leaves.length, 0),
    profilesChanged: having(({ profile }) => profile.length > 0),
    picturesTaken: having(({ pictureDigest }) => pictureDigest !== undefined),
    problems: problems.length,
  };
}

/** One line for each change, and one for each problem, for an operator. */
export function reportLines({ changes, problems }: Pick<SyncReport, 'changes' | 'problems'>): string[] {
  return [
    ...changes.flatMap((change) => partsOf(change).map((part) => `${change.email}: ${part}`)),
    ...problems.map(({ about, reason }) => `problem with ${about}: ${reason}`),
  ];
}

function partsOf(change: DirectoryChange): string[] {
  const { subject, suspended, isRestored, fullName, role, joins, leaves, profile, pictureDigest, dn } = change;
  return [
    ...(subject === undefined ? [] : [`belongs to ${dn ?? 'an entry'}`]),
    ...(suspended === undefined ? [] : [`deactivated, the entry is ${suspended}`]),
    ...(isRestored ? ['reactivated'] : []),
    ...(fullName === undefined ? [] : [`name ${JSON.stringify(fullName)}`]),
    ...(role === undefined ? [] : [`role ${roleName(role)}`]),
    ...joins.map((name) => `joins ${JSON.stringify(name)}`),
    ...leaves.map((name) => `leaves ${JSON.stringify(name)}`),
    ...profile.map(
      ([field, value]) => `field ${JSON.stringify(field)} ${value === null ? 'removed' : JSON.stringify(value)}`,
    ),
    ...(pictureDigest === undefined ? [] : ['another picture']),
  ];
}
