import type { DirectoryProblem, KnownAccount, DescribedPerson } from './directory-change';
import { lookAlikes } from './look-alike';

/** What a directory lists. */
export interface DirectoryListing {
  readonly people: readonly DescribedPerson[];
  /** Entries that cannot be used. They are there all the same, so nothing happens to their accounts. */
  readonly unusable: readonly { readonly dn: string; readonly subject: string; readonly reason: string }[];
}

/** An account with the entry that describes it. */
export interface Match {
  readonly account: KnownAccount;
  /** Null: the entry that it belongs to is gone. */
  readonly person: DescribedPerson | null;
}

/** The accounts that a directory is about, and what it says about nobody in particular. */
export interface Matches {
  readonly matches: readonly Match[];
  readonly problems: readonly DirectoryProblem[];
}

/** Emails with one key are the same email: they differ at most in the case of Latin letters (decision 71). */
const keyOf = (email: string): string => email.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** A link to a name instead of an id ends when the entry is moved, so that an email may replace it. */
const isLasting = (subject: string): boolean => subject.startsWith('id:');

/**
 * Finds the account of each entry: the one that belongs to it, or else the one with its email. An email never leads to an
 * account that belongs to another entry: somebody who inherits the email of another person does not inherit the account. Without
 * ids, an entry that was moved cannot be told from another one, and then only an account in use follows the email.
 * An account that belongs to no entry and has no email of one is left alone.
 */
export function matchPeople({ people, unusable }: DirectoryListing, accounts: readonly KnownAccount[]): Matches {
  const bySubject = grouped(people, ({ subject }) => subject);
  const byEmail = grouped(people, ({ email }) => keyOf(email));
  const unclear = new Set(unusable.map(({ subject }) => subject));
  const problems = [...unusable.map(({ dn, reason }) => ({ about: dn, reason })), ...doubles(bySubject)];
  const taken = new Set(accounts.flatMap(({ subject }) => subject ?? []));
  const matches = accounts.flatMap((account): Match[] => {
    const own = account.subject === null ? [] : (bySubject.get(account.subject) ?? []);
    if (own.length === 1) return [{ account, person: own[0] ?? null }];
    if (own.length > 1 || (account.subject !== null && unclear.has(account.subject))) return [];
    const free = (byEmail.get(keyOf(account.email)) ?? []).filter(({ subject }) => !taken.has(subject));
    if (free.length > 1) problems.push(...free.map(({ dn }) => ({ about: dn, reason: SAME_EMAIL(account.email) })));
    const [person] = free;
    const mayLink = person !== undefined && free.length === 1 && bySubject.get(person.subject)?.length === 1;
    if (account.subject === null) return mayLink ? [{ account, person }] : [];
    // Who left and was deactivated may be somebody else than who has the email now.
    if (mayLink && !isLasting(account.subject) && account.isActive) return [{ account, person }];
    if (mayLink)
      problems.push({ about: person.dn, reason: `${account.email} belongs to another entry, which is gone` });
    return [{ account, person: null }];
  });
  const unlinked = withoutAccount([...bySubject.values()].flat(), accounts);
  return { matches, problems: [...problems, ...lookAlikes(unlinked, accounts)] };
}

/** People to whom no account belongs, and whose email none has. */
function withoutAccount(people: readonly DescribedPerson[], accounts: readonly KnownAccount[]): DescribedPerson[] {
  const subjects = new Set(accounts.map(({ subject }) => subject));
  const emails = new Set(accounts.map(({ email }) => keyOf(email)));
  return people.filter(({ subject, email }) => !subjects.has(subject) && !emails.has(keyOf(email)));
}

const SAME_EMAIL = (email: string) => `another entry has the email ${email} too`;

const doubles = (bySubject: ReadonlyMap<string, readonly DescribedPerson[]>): DirectoryProblem[] =>
  [...bySubject.values()]
    .filter(({ length }) => length > 1)
    .flatMap((same) => same.map(({ dn }) => ({ about: dn, reason: 'another entry has the same id' })));

/** In the order of their names, so that the order in which a directory lists them does not matter. */
function grouped(
  people: readonly DescribedPerson[],
  keyOf: (person: DescribedPerson) => string,
): ReadonlyMap<string, readonly DescribedPerson[]> {
  const groups = new Map<string, DescribedPerson[]>();
  for (const person of [...people].sort((a, b) => (a.dn < b.dn ? -1 : a.dn > b.dn ? 1 : 0))) {
    const key = keyOf(person);
    const group = groups.get(key);
    if (group) group.push(person);
    else groups.set(key, [person]);
  }
  return groups;
}
