import type { DescribedPerson, DirectoryProblem, KnownAccount } from './directory-change';

/** Small letters of other alphabets that look like Latin ones (Unicode Technical Standard 39, `confusables.txt`). */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  // Cyrillic
  ...{ а: 'a', е: 'e', о: 'o', р: 'p', с: 'c', у: 'y', х: 'x', і: 'i', ј: 'j', ѕ: 's', һ: 'h', ӏ: 'l', ѵ: 'v' },
  ...{ ԁ: 'd', ԛ: 'q', ԝ: 'w', ү: 'y' },
  // Greek
  ...{ α: 'a', ι: 'i', ν: 'v', ο: 'o', ρ: 'p', υ: 'u', σ: 'o' },
  // Latin
  ...{ ı: 'i', ɑ: 'a', ɡ: 'g', ɩ: 'i' },
};

/** What is left of an email for who only looks at it. */
const lookOf = (email: string): string =>
  [...email.trim().normalize('NFKC').toLowerCase()].map((letter) => LOOKS_LIKE[letter] ?? letter).join('');

/**
 * The people whose email only looks like that of an account. Nothing links them: whoever owns one of two such emails may not own the
 * other. Nobody sees why without being told.
 *
 * @param unlinked people to whom no account belongs
 */
export function lookAlikes(
  unlinked: readonly DescribedPerson[],
  accounts: readonly Pick<KnownAccount, 'email'>[],
): DirectoryProblem[] {
  const emailBy = new Map(accounts.map(({ email }) => [lookOf(email), email]));
  return unlinked.flatMap(({ dn, fullName, email }) => {
    const other = emailBy.get(lookOf(email));
    if (other === undefined) return [];
    const reason = `its email ${email} only looks like ${other}, which an account has; write both in the same way`;
    return [{ about: `${fullName} (${dn})`, reason }];
  });
}
