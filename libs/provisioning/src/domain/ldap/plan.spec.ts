import type { UserId } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import fc from 'fast-check';
import type { DirectoryChange, KnownAccount, DescribedPerson } from './directory-change';
import { isTooMany, planOf } from './plan';

const person = (name: string, more: Partial<DescribedPerson> = {}): DescribedPerson => ({
  dn: `uid=${name},ou=people`,
  subject: `id:${name}`,
  email: `${name}@example.com`,
  fullName: name,
  isDeactivated: false,
  pictureDigest: null,
  role: null,
  userGroups: new Set(),
  profile: new Map(),
  ...more,
});

let last = 0;
const account = (name: string, more: Partial<KnownAccount> = {}): KnownAccount => ({
  userId: ++last as UserId,
  email: `${name}@example.com`,
  fullName: name,
  role: Role.member,
  isActive: true,
  subject: `id:${name}`,
  isSuspended: false,
  pictureDigest: null,
  userGroups: new Set(),
  profile: new Map(),
  ...more,
});

const owner = (name: string, more: Partial<KnownAccount> = {}) => account(name, { role: Role.owner, ...more });
const plan = (people: readonly DescribedPerson[], accounts: readonly KnownAccount[]) =>
  planOf({ people, unusable: [] }, accounts);
const nothing = { joins: [], leaves: [], profile: [] };

describe('an account that belongs to an entry', () => {
  it('does not change while both are equal', () => {
    expect(plan([person('ada')], [account('ada')])).toEqual({ changes: [], problems: [], linked: 1, suspensions: 0 });
  });

  it('gets name, role, picture, groups and profile of the entry', () => {
    const ada = account('ada', {
      userGroups: new Set(['old', 'same']),
      profile: new Map([
        ['Phone', '1'],
        ['Room', 'A'],
      ]),
    });
    const entry = person('ada', {
      fullName: 'Ada Lovelace',
      role: Role.moderator,
      pictureDigest: 'digest',
      userGroups: new Set(['same', 'new']),
      profile: new Map([
        ['Phone', '2'],
        ['Room', ''],
        ['Desk', ''],
      ]),
    });
    expect(plan([entry], [ada]).changes).toEqual([
      {
        ...{ userId: ada.userId, email: ada.email, dn: entry.dn },
        ...{ fullName: 'Ada Lovelace', role: Role.moderator, pictureDigest: 'digest' },
        ...{
          joins: ['new'],
          leaves: ['old'],
          profile: [
            ['Phone', '2'],
            ['Room', null],
          ],
        },
      },
    ]);
  });

  it('keeps its role and picture if the directory has none', () => {
    expect(plan([person('ada')], [account('ada', { role: Role.guest, pictureDigest: 'taken' })]).changes).toEqual([]);
  });

  it.each([
    ['disabled', [person('ada', { isDeactivated: true })]],
    ['missing', []],
  ])('is deactivated when the entry is %s, and nothing else changes', (suspended, people) => {
    const renamed = people.map((one) => ({ ...one, fullName: 'Another' }));
    const { changes, suspensions } = plan(renamed, [account('ada'), owner('local', { subject: null })]);
    expect(changes).toMatchObject([{ suspended, ...nothing }]);
    expect(changes[0]).not.toHaveProperty('fullName');
    expect(suspensions).toBe(1);
  });

  it('is reactivated with its new name only if the directory deactivated it', () => {
    const away = { isActive: false };
    const entries = [person('ada', { fullName: 'Ada' }), person('bob', { fullName: 'Bob' })];
    const accounts = [account('ada', { ...away, isSuspended: true }), account('bob', away)];
    expect(plan(entries, accounts).changes).toMatchObject([
      { email: 'ada@example.com', isRestored: true, fullName: 'Ada' },
    ]);
  });

  it('is left alone while its entry cannot be used, or another entry has the same id', () => {
    const unusable = [{ dn: 'uid=ada,ou=people', subject: 'id:ada', reason: 'it has no email address' }];
    const left = planOf({ people: [], unusable }, [account('ada')]);
    expect(left).toMatchObject({ changes: [], problems: [{ about: 'uid=ada,ou=people' }] });
    const twins = [person('ada'), person('eve', { subject: 'id:ada' })];
    expect(plan(twins, [account('ada')])).toMatchObject({ changes: [], problems: [{}, {}] });
  });
});

describe('an account that belongs to no entry', () => {
  const unlinked = (name: string) => account(name, { subject: null });

  it('is linked to the entry with its email, in any letter case', () => {
    const [change] = plan([person('ada', { email: 'ADA@example.com' })], [unlinked('ada')]).changes;
    expect(change).toMatchObject({ subject: 'id:ada', ...nothing });
  });

  it.each([
    ['the Kelvin sign', '\u212Aate@example.com'],
    ['a Cyrillic letter', 'k\u0430te@example.com'],
    ['a Greek capital letter', 'kate@EXAMPLE.C\u039FM'],
    ['wide letters', '\uFF4Bate@example.com'],
  ])('is left alone if an entry has an email that only looks like its own, which is a problem: %s', (_, email) => {
    const kate = person('kate', { email, fullName: 'Kate' });
    const left = plan([kate], [unlinked('kate')]);
    const reason = `its email ${email} only looks like kate@example.com, which an account has; write both in the same way`;
    expect(left.problems).toEqual([{ about: 'Kate (uid=kate,ou=people)', reason }]);
    expect(left).toMatchObject({ changes: [], linked: 0, suspensions: 0 });
  });

  it('is no problem for an entry that has an account of its own, or another email', () => {
    const kate = person('kate', { subject: 'id:linked', email: '\u212Aate@example.com' });
    const accounts = [unlinked('kate'), account('linked', { fullName: 'kate' })];
    expect(plan([kate, person('kata')], accounts).problems).toEqual([]);
  });

  it('is left alone if no entry has its email', () => {
    expect(plan([person('bob')], [unlinked('ada')])).toEqual({ changes: [], problems: [], linked: 0, suspensions: 0 });
  });

  it('is not linked if two entries have its email', () => {
    const both = [person('ada'), person('eve', { email: 'ada@example.com' })];
    expect(plan(both, [unlinked('ada')])).toMatchObject({ changes: [], problems: [{}, {}] });
  });
});

describe('somebody who inherits an email', () => {
  const heir = person('heir', { email: 'ada@example.com' });

  it('does not inherit the account of another entry', () => {
    const { changes, problems } = plan([heir], [account('ada'), owner('local', { subject: null })]);
    expect(changes).toMatchObject([{ suspended: 'missing' }]);
    expect(problems).toMatchObject([{ about: heir.dn }]);
  });

  it('is the same person if entries have no ids and only moved, but not if the account was deactivated', () => {
    const moved = account('ada', { subject: 'dn:uid=ada,ou=before' });
    expect(plan([heir], [moved]).changes).toMatchObject([{ subject: 'id:heir', fullName: 'heir' }]);
    const left = { ...moved, isActive: false, isSuspended: true };
    expect(plan([heir], [left])).toMatchObject({ changes: [], problems: [{ about: heir.dn }] });
  });
});

describe('the last owner', () => {
  it.each([
    ['leaves the directory', []],
    ['is disabled', [person('ada', { isDeactivated: true })]],
    ['gets another role', [person('ada', { role: Role.member })]],
  ])('remains when the owner %s', (_, people) => {
    const { changes, problems } = plan(people, [owner('ada')]);
    expect(changes).toEqual([]);
    expect(problems).toMatchObject([{ about: 'ada@example.com', reason: 'the last owner remains an owner' }]);
  });

  it('may go once another one has come', () => {
    const people = [person('ada', { role: Role.member }), person('bob', { role: Role.owner })];
    const { changes } = plan(people, [owner('ada'), account('bob')]);
    expect(changes.map(({ email, role }) => [email, role])).toEqual([
      ['bob@example.com', Role.owner],
      ['ada@example.com', Role.member],
    ]);
  });
});

describe('too many deactivations', () => {
  it.each([
    [1, 3, 10, false],
    [2, 3, 10, true],
    [10, 100, 10, false],
    [11, 100, 10, true],
    [100, 100, 100, false],
    [2, 100, 0, true],
  ])('%d of %d with a limit of %d percent: %p', (suspensions, linked, percent, tooMany) => {
    expect(isTooMany({ suspensions, linked }, percent)).toBe(tooMany);
  });
});

describe('any directory', () => {
  const NAMES = ['ada', 'bob', 'cyd', 'dan', 'eve'];
  const role = fc.constantFrom(Role.owner, Role.administrator, Role.member);
  const some = (...values: string[]) => fc.subarray(values).map((names) => new Set(names));
  const people = fc.subarray(NAMES).chain((names) =>
    fc
      .tuple(
        ...names.map((name) =>
          fc.record({
            fullName: fc.constantFrom(name, 'Another'),
            isDeactivated: fc.boolean(),
            pictureDigest: fc.constantFrom(null, 'one', 'two'),
            role: fc.option(role),
            userGroups: some('x', 'y'),
            profile: fc.constantFrom('', '1', '2').map((value) => new Map([['Phone', value]])),
            email: fc.constantFrom(`${name}@example.com`, 'shared@example.com', 'ada@example.com'),
            subject: fc.constantFrom(`id:${name}`, `id:${name}`, `dn:${name}`, 'id:twin'),
          }),
        ),
      )
      .map((all) => all.map((more, n) => person(names[n] ?? '', more))),
  );
  const accounts = fc
    .array(
      fc.record({
        email: fc.constantFrom(...NAMES, 'shared').map((name) => `${name}@example.com`),
        role,
        isActive: fc.boolean(),
        isSuspended: fc.boolean(),
        subject: fc.constantFrom(null, ...NAMES.flatMap((name) => [`id:${name}`, `dn:${name}`]), 'id:twin'),
        userGroups: some('x', 'y'),
        profile: fc.constantFrom('', '1').map((value) => new Map(value === '' ? [] : [['Phone', value]])),
      }),
      { maxLength: 6 },
    )
    .map((all) => uniquely(all.map((more, n) => account(`a${n}`, { ...more, userId: (n + 1) as UserId }))));

  it('is followed at once: a second run changes nothing', () => {
    fc.assert(
      fc.property(people, accounts, (listed, known) => {
        expect(plan(listed, carriedOut(plan(listed, known).changes, known)).changes).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('gives the same plan in any order, and always leaves an owner', () => {
    fc.assert(
      fc.property(people, accounts, fc.nat(), (listed, known, seed) => {
        const found = plan(listed, known);
        expect(plan(rotated(listed, seed), rotated(known, seed).reverse())).toEqual(found);
        const owners = (all: readonly KnownAccount[]) => all.filter((one) => one.isActive && one.role === Role.owner);
        if (owners(known).length > 0) expect(owners(carriedOut(found.changes, known))).not.toHaveLength(0);
      }),
      { numRuns: 300 },
    );
  });
});

/** Emails of accounts are unique, and an entry belongs to one account. */
function uniquely(all: readonly KnownAccount[]): KnownAccount[] {
  const seen = new Set<string>();
  return all.filter(({ email, subject }) => {
    const keys = [email, ...(subject === null ? [] : [subject])];
    if (keys.some((key) => seen.has(key))) return false;
    for (const key of keys) seen.add(key);
    return true;
  });
}

const rotated = <T>(all: readonly T[], by: number): T[] => {
  const at = all.length === 0 ? 0 : by % all.length;
  return [...all.slice(at), ...all.slice(0, at)];
};

/** The accounts after the changes. */
function carriedOut(changes: readonly DirectoryChange[], accounts: readonly KnownAccount[]): KnownAccount[] {
  return accounts.map((one) => {
    const change = changes.find(({ userId }) => userId === one.userId);
    if (!change) return one;
    const profile = new Map(one.profile);
    for (const [field, value] of change.profile) {
      if (value === null) profile.delete(field);
      else profile.set(field, value);
    }
    const groups = [...one.userGroups, ...change.joins].filter((name) => !change.leaves.includes(name));
    return {
      ...one,
      subject: change.subject ?? one.subject,
      fullName: change.fullName ?? one.fullName,
      role: change.role ?? one.role,
      pictureDigest: change.pictureDigest ?? one.pictureDigest,
      isActive: change.suspended ? false : change.isRestored ? true : one.isActive,
      isSuspended: change.suspended ? true : change.isRestored ? false : one.isSuspended,
      userGroups: new Set(groups),
      profile,
    };
  });
}
