import { Role } from '@annals/kernel/domain';
import type {
  DirectoryChange,
  DirectoryPlan,
  DirectoryProblem,
  KnownAccount,
  DescribedPerson,
  Suspension,
} from './directory-change';
import type { DirectoryListing, Match } from './matching';
import { matchPeople } from './matching';

/** An account after the changes that a person requires. */
interface Step {
  readonly account: KnownAccount;
  readonly change: DirectoryChange;
  readonly isOwner: boolean;
}

/**
 * Compares a directory with the accounts of an organization. The same directory gives the same plan in whatever order it
 * lists its entries, and after the plan was carried out it gives an empty one.
 *
 * @param accounts all accounts of people, also those that no directory describes
 */
export function planOf(listing: DirectoryListing, accounts: readonly KnownAccount[]): DirectoryPlan {
  const sorted = [...accounts].sort((a, b) => a.userId - b.userId);
  const { matches, problems } = matchPeople(listing, sorted);
  const steps = matches.map(stepOf);
  const { kept, refused } = keepingAnOwner(steps, sorted);
  const changes = kept.map(({ change }) => change).filter(changesSomething);
  return {
    changes,
    problems: [...problems, ...refused],
    linked: matches.filter(({ account }) => account.isActive).length,
    suspensions: changes.filter(({ suspended }) => suspended !== undefined).length,
  };
}

/**
 * Whether so many accounts would be deactivated that the directory, or what is asked of it, is probably wrong.
 *
 * @param maxPercent of the active accounts that belong to entries. One account may always be deactivated
 */
export const isTooMany = ({ suspensions, linked }: Pick<DirectoryPlan, 'suspensions' | 'linked'>, maxPercent: number) =>
  suspensions > Math.max(1, (linked * maxPercent) / 100);

const UNCHANGED = { joins: [], leaves: [], profile: [] } as const;

function stepOf({ account, person }: Match): Step {
  const { userId, email, isActive, isSuspended, role } = account;
  const isOwner = role === Role.owner;
  const base = { userId, email, dn: person?.dn ?? null, ...UNCHANGED };
  const link = person && person.subject !== account.subject ? { subject: person.subject } : {};
  const reason: Suspension | null = person === null ? 'missing' : person.isDeactivated ? 'disabled' : null;
  if (person === null || reason !== null) {
    const suspended = isActive && reason !== null ? { suspended: reason } : {};
    return { account, change: { ...base, ...link, ...suspended }, isOwner: false };
  }
  // Somebody else deactivated it, and has to reactivate it.
  if (!isActive && !isSuspended) return { account, change: { ...base, ...link }, isOwner: false };
  const restored = isActive ? {} : { isRestored: true as const };
  const change = { ...base, ...link, ...restored, ...differences(account, person) };
  return { account, change, isOwner: person.role === null ? isOwner : person.role === Role.owner };
}

function differences(account: KnownAccount, person: DescribedPerson): Partial<DirectoryChange> {
  const { fullName, role, pictureDigest, userGroups, profile } = person;
  return {
    ...(fullName !== account.fullName && { fullName }),
    ...(role !== null && role !== account.role && { role }),
    ...(pictureDigest !== null && pictureDigest !== account.pictureDigest && { pictureDigest }),
    joins: [...userGroups].filter((name) => !account.userGroups.has(name)).sort(),
    leaves: [...account.userGroups].filter((name) => !userGroups.has(name)).sort(),
    profile: [...profile]
      .filter(([field, value]) => (account.profile.get(field) ?? '') !== value)
      .map(([field, value]) => [field, value === '' ? null : value] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  };
}

/**
 * The organization keeps an active owner. New owners come first, and then no account ceases to be one if it is the last.
 */
function keepingAnOwner(
  steps: readonly Step[],
  accounts: readonly KnownAccount[],
): { readonly kept: readonly Step[]; readonly refused: readonly DirectoryProblem[] } {
  const isOwnerNow = ({ isActive, role }: KnownAccount) => isActive && role === Role.owner;
  const gains = steps.filter(({ account, isOwner }) => isOwner && !isOwnerNow(account));
  const others = steps.filter((step) => !gains.includes(step));
  const refused: DirectoryProblem[] = [];
  let owners = accounts.filter(isOwnerNow).length + gains.length;
  const kept = others.map((step): Step => {
    if (!isOwnerNow(step.account) || step.isOwner) return step;
    if (owners > 1) {
      owners--;
      return step;
    }
    refused.push({ about: step.account.email, reason: 'the last owner remains an owner' });
    const { suspended: _suspended, role: _role, ...change } = step.change;
    return { ...step, change };
  });
  return { kept: [...gains, ...kept], refused };
}

const changesSomething = ({ userId: _, email: _email, dn: _dn, joins, leaves, profile, ...rest }: DirectoryChange) =>
  joins.length + leaves.length + profile.length + Object.keys(rest).length > 0;
