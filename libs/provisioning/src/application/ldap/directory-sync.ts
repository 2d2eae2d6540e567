import { Kernel, systemActor } from '@annals/kernel';
import type { Instant, RealmId } from '@annals/kernel/domain';
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
import { LogRoom } from './log-room';
import { MembershipChanges } from './membership-changes';
import { PictureChanges } from './picture-changes';
import type { SyncReport } from './sync-report';
import { countsOf } from './sync-report';

/** The client program in the events of a run. */
const CLIENT = 'LDAP';

/** What happens when the log is full. */
const ENDS_ONLY = 'Until there is room, a run only deactivates accounts.';

/** What happens when a run takes too long. */
const TOO_LONG = ({ synchronization: { maxMinutes } }: LdapDirectory) =>
  `it took longer than ${maxMinutes} minutes; the next run continues`;

/** What was made of a plan. `full`: why the rest was not written. `isCut`: the run had to end before it. */
interface Applied extends Pick<DirectoryPlan, 'changes' | 'problems'> {
  readonly full: string | null;
  readonly isCut: boolean;
}

/** How a run is made. */
export interface SyncWishes {
  /** Only tell what would change. */
  readonly isDryRun: boolean;
  /** Also deactivate more accounts than the limit of the directory allows. */
  readonly isForced: boolean;
  /** Ends the run after the change that it is making. The next one continues. */
  readonly signal: AbortSignal;
  /** When it ends too, with what it has done by then. Left out: it takes as long as it needs. */
  readonly until?: Instant;
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
    private readonly room: LogRoom,
  ) {}

  /**
   * One run. It may end at any point and be made again: what is done already is no change any more.
   *
   * @throws DirectoryAway when the directory does not list everybody. Then nothing has changed
   */
  async run(realmId: RealmId, directory: LdapDirectory, wishes: SyncWishes): Promise<SyncReport> {
    const { isDryRun, isForced, signal, until = Infinity } = wishes;
    const isOver = () => signal.aborted || this.kernel.clock.now() >= until;
    await this.kernel.fence.reach(realmId);
    const filled = await this.filled.of(realmId, directory.userGroups.values(), directory.attributes.profile.keys());
    const { plan, problems } = await this.plan(realmId, directory, filled, isOver);
    const base = { directory: directory.name, isDryRun };
    if (isTooMany(plan, directory.synchronization.maxDeactivatedPercent) && !isForced) {
      const many = `${plan.suspensions} of ${plan.linked} accounts would be deactivated`;
      const reason = `${many}, which is more than the limit; --force does it all the same`;
      return { ...base, outcome: 'refused', reason, ...partsOf(plan.changes, [...problems, ...plan.problems]) };
    }
    const by = { ...systemActor(realmId) };
    const options = { directory: directory.name, by: { ...by, origin: { ...by.origin, client: CLIENT } }, isDryRun };
    const done = await this.apply(plan, directory, filled, { options, isOver });
    const parts = partsOf(done.changes, [...problems, ...done.problems]);
    if (done.full !== null) return { ...base, outcome: 'refused', reason: `${done.full} ${ENDS_ONLY}`, ...parts };
    if (done.isCut && !signal.aborted) return { ...base, outcome: 'failed', reason: TOO_LONG(directory), ...parts };
    const report: SyncReport = { ...base, outcome: 'done', reason: null, ...parts };
    if (!isDryRun) await this.record(report, options);
    return report;
  }

  private async plan(
    realmId: RealmId,
    directory: LdapDirectory,
    { groups, fields, problems }: Filled,
    isOver: () => boolean,
  ): Promise<{ readonly plan: DirectoryPlan; readonly problems: readonly DirectoryProblem[] }> {
    const { people, unusable } = await readPeople(directory, isOver);
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
    { options, isOver }: { readonly options: SyncRun; readonly isOver: () => boolean },
  ): Promise<Applied> {
    const problems = [...plan.problems];
    const changes: DirectoryChange[] = [];
    let full: string | null = null;
    const fieldOf = new Map([...fields].map(([name, { id }]) => [name, id]));
    for (const change of plan.changes) {
      if (isOver()) return { changes: changes.map((made) => withMade(made, NOTHING)), problems, full, isCut: true };
      if (!isEnd(change)) full ??= await this.room.refusal(options.by.realmId);
      if (full !== null && !isEnd(change)) continue;
      const { made, refusals } = await this.accounts.apply(change, fieldOf, options);
      changes.push(made);
      for (const reason of refusals) problems.push({ about: change.email, reason });
    }
    if (full !== null) return { changes: changes.map((made) => withMade(made, NOTHING)), problems, full, isCut: false };
    const membersRefused = await this.groups.apply(changes, groups, options);
    const refused = new Set(membersRefused.map(({ about }) => about));
    const pictures = await this.pictures.apply(changes, directory, options, isOver);
    const made = { groups: [...groups.keys()].filter((name) => !refused.has(name)), pictures: pictures.taken };
    return {
      changes: changes.map((change) => withMade(change, made)),
      problems: [...problems, ...membersRefused, ...pictures.problems],
      full: pictures.full,
      isCut: pictures.isCut,
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

/** Accounts end however full the log is. */
const isEnd = ({ suspended }: DirectoryChange): boolean => suspended !== undefined;

/** What is made after the accounts: the groups whose members changed, and the entries whose pictures were taken. */
interface Made {
  readonly groups: readonly string[];
  readonly pictures: ReadonlySet<string>;
}

const NOTHING: Made = { groups: [], pictures: new Set() };

/** The parts of a change that were made. */
function withMade({ pictureDigest, ...change }: DirectoryChange, { groups, pictures }: Made): DirectoryChange {
  const isMade = (name: string) => groups.includes(name);
  const hasPicture = pictureDigest !== undefined && change.dn !== null && pictures.has(change.dn);
  return {
    ...change,
    joins: change.joins.filter(isMade),
    leaves: change.leaves.filter(isMade),
    ...(hasPicture && { pictureDigest }),
  };
}

const partsOf = (changes: readonly DirectoryChange[], problems: readonly DirectoryProblem[]) => ({
  changes,
  problems,
  counts: countsOf(changes, problems),
});
