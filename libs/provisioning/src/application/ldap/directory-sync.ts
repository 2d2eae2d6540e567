import { Kernel, systemActor } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import type { LdapDirectory } from '@annals/sign-in';
import { identityOf, readPeople } from '@annals/sign-in';
import { Injectable } from '@nestjs/common';
import type { DirectoryChange, DirectoryPlan, DirectoryProblem } from '../../domain/ldap/directory-change';
import { DirectorySynchronized, RUN_COUNTS, directoryStream } from '../../domain/ldap/events';
import { fitted } from '../../domain/ldap/field-values';
import { isTooMany, planOf } from '../../domain/ldap/plan';
import type { Filled } from '../../read/ldap/filled-parts';
import { FilledParts } from '../../read/ldap/filled-parts';
import { readKnownAccounts } from '../../read/ldap/known-accounts';
import type { SyncRun } from './account-changes';
import { AccountChanges } from './account-changes';
import { MembershipChanges } from './membership-changes';
import { PictureChanges } from './picture-changes';
import type { SyncReport } from './sync-report';
import { countsOf } from './sync-report';

/** The client program in the events of a run. */
const CLIENT = 'LDAP';

/** How a run is made. */
export interface SyncWishes {
  /** Only tell what would change. */
  readonly isDryRun: boolean;
  /** Also deactivate more accounts than the limit of the directory allows. */
  readonly isForced: boolean;
  /** Ends the run after the change that it is making. The next one continues. */
  readonly signal: AbortSignal;
}

/** Makes the accounts of an organization follow its directory. */
@Injectable()
export class DirectorySync {
  constructor(
    private readonly kernel: Kernel,
    private readonly filled: FilledParts,
    private readonly accounts: AccountChanges,
    private readonly groups: MembershipChanges,
    private readonly pictures: PictureChanges,
  ) {}

  /**
   * One run. It may end at any point and be made again: what is done already is no change any more.
   *
   * @throws DirectoryAway when the directory does not list everybody. Then nothing has changed
   */
  async run(realmId: RealmId, directory: LdapDirectory, wishes: SyncWishes): Promise<SyncReport> {
    const { isDryRun, isForced } = wishes;
    await this.kernel.fence.reach(realmId);
    const filled = await this.filled.of(realmId, directory.userGroups.values(), directory.attributes.profile.keys());
    const { plan, problems } = await this.plan(realmId, directory, filled);
    const base = { directory: directory.name, isDryRun };
    if (isTooMany(plan, directory.synchronization.maxDeactivatedPercent) && !isForced) {
      const reason = `${plan.suspensions} of ${plan.linked} accounts would be deactivated, which is more than the limit`;
      return { ...base, outcome: 'refused', reason, ...partsOf(plan.changes, [...problems, ...plan.problems]) };
    }
    const by = { ...systemActor(realmId) };
    const options = { directory: directory.name, by: { ...by, origin: { ...by.origin, client: CLIENT } }, isDryRun };
    const done = await this.apply(plan, directory, filled, { options, signal: wishes.signal });
    const report = {
      ...base,
      outcome: 'done',
      reason: null,
      ...partsOf(done.changes, [...problems, ...done.problems]),
    };
    if (!isDryRun) await this.record(report as SyncReport, options);
    return report as SyncReport;
  }

  private async plan(
    realmId: RealmId,
    directory: LdapDirectory,
    { groups, fields, problems }: Filled,
  ): Promise<{ readonly plan: DirectoryPlan; readonly problems: readonly DirectoryProblem[] }> {
    const { people, unusable } = await readPeople(directory);
    const fitting = people.map((person) => fitted(person, new Set(groups.keys()), fields));
    const { issuer } = identityOf(directory.name, '');
    const ids = new Map([...fields].map(([name, { id }]) => [name, id]));
    const known = await readKnownAccounts(this.kernel.database.pool, realmId, issuer, { groups, fields: ids });
    const listing = { people: fitting.map(({ person }) => person), unusable };
    return {
      plan: planOf(listing, known),
      problems: [...problems, ...fitting.flatMap((one) => one.problems)],
    };
  }

  private async apply(
    plan: DirectoryPlan,
    directory: LdapDirectory,
    { groups, fields }: Filled,
    { options, signal }: { readonly options: SyncRun; readonly signal: AbortSignal },
  ): Promise<Pick<DirectoryPlan, 'changes' | 'problems'>> {
    const problems = [...plan.problems];
    const changes: DirectoryChange[] = [];
    const fieldOf = new Map([...fields].map(([name, { id }]) => [name, id]));
    for (const change of plan.changes) {
      if (signal.aborted) return { changes, problems };
      const { made, refusals } = await this.accounts.apply(change, fieldOf, options);
      changes.push(made);
      for (const reason of refusals) problems.push({ about: change.email, reason });
    }
    const membersRefused = await this.groups.apply(changes, groups, options);
    const picturesRefused = await this.pictures.apply(changes, directory, options, signal);
    return {
      changes: changes.map((change) => withoutRefused(change, membersRefused, picturesRefused)),
      problems: [...problems, ...membersRefused, ...picturesRefused],
    };
  }

  private async record({ directory, counts }: SyncReport, { by }: SyncRun): Promise<void> {
    const hasChanged = RUN_COUNTS.some((name) => name !== 'problems' && counts[name] > 0);
    if (!hasChanged) return;
    await this.kernel.work.run(by, async (work) =>
      work.append(directoryStream(directory), [fact(DirectorySynchronized, { directory, counts })]),
    );
  }
}

/** What was made of a change when some groups and some pictures were refused. */
function withoutRefused(
  { pictureDigest, ...change }: DirectoryChange,
  groups: readonly DirectoryProblem[],
  pictures: readonly DirectoryProblem[],
): DirectoryChange {
  const isKept = (name: string) => !groups.some(({ about }) => about === name);
  const hasPicture = pictureDigest !== undefined && !pictures.some(({ about }) => about === change.dn);
  return {
    ...change,
    joins: change.joins.filter(isKept),
    leaves: change.leaves.filter(isKept),
    ...(hasPicture && { pictureDigest }),
  };
}

const partsOf = (changes: readonly DirectoryChange[], problems: readonly DirectoryProblem[]) => ({
  changes,
  problems,
  counts: countsOf(changes, problems),
});
