import type { Actor, UserId } from '@annals/kernel/domain';
import { ROLES, Role, allowed, refused } from '@annals/kernel/domain';
import type { Account } from '../account/account';
import { updateAccount } from '../account/account';
import { ACTIVE, FIRST_AVATAR, NOTHING_ORPHANED, NO_BOT_DEFAULTS } from '../account/account-parts';
import type { EmailRules } from './email';
import { claimsEmail } from './email';
import { renameOneself } from '../account/own-account';
import { askForEmail } from './email-change';
import { mayMoveOneself, mayRenameOneself } from '../policies';
import { reject } from '../rejections';
import { changePermissions } from '../settings/special-permissions';
import { isTimezone } from '../account/timezone';

const account = (changed: Partial<Account> = {}): Account => ({
  userId: 7 as UserId,
  role: Role.member,
  botType: null,
  botOwnerId: null,
  isSystemBot: false,
  fullName: 'Cordelia',
  email: 'cordelia@zulip.com',
  canCreateUsers: false,
  canChangeUserEmails: false,
  awaitsFirstLogin: false,
  isImported: false,
  status: ACTIVE,
  orphaned: NOTHING_ORPHANED,
  avatar: FIRST_AVATAR,
  botDefaults: NO_BOT_DEFAULTS,
  keys: [],
  sessions: [],
  bots: [],
  ...changed,
});
const free = { address: allowed, taken: false };
const refusal = (act: () => unknown): string | undefined => {
  try {
    act();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('changing the email of a user', () => {
  const owner = { role: Role.owner, canChangeUserEmails: true };
  const update = (
    email: string,
    actor: Pick<Actor, 'role' | 'canChangeUserEmails'> = owner,
    address = free,
    state = account(),
  ) => updateAccount(state, { email, fullName: 'Lear' }, actor, { nameTaken: false, isLastOwner: false, address });

  it('is an event that contains both emails, beside other changes', () => {
    expect(update('lear@zulip.com')).toMatchObject([
      { type: 'users.FullNameChanged' },
      { type: 'users.AddressChanged', data: { userId: 7 }, sealed: { email: 'lear@zulip.com' } },
    ]);
    expect(update('Cordelia@zulip.com')).toHaveLength(2);
  });

  it('leaves no event for the present email', () => {
    expect(
      update('cordelia@zulip.com', owner, { address: refused(reject.disposableEmail()), taken: true }),
    ).toHaveLength(1);
  });

  it('is allowed to owners with the special permission only, even if nothing changes', () => {
    for (const role of ROLES.filter((each) => each === Role.owner || each === Role.administrator)) {
      for (const canChangeUserEmails of [true, false]) {
        for (const email of ['lear@zulip.com', 'cordelia@zulip.com']) {
          const isAllowed = role === Role.owner && canChangeUserEmails;
          expect(refusal(() => update(email, { role, canChangeUserEmails })) === undefined).toBe(isAllowed);
        }
      }
    }
  });

  it('refuses an email that is not allowed or in use, with all other changes', () => {
    const unwanted = { address: refused(reject.disposableEmail()), taken: false };
    expect(refusal(() => update('lear@zulip.com', owner, unwanted))).toContain('Disposable');
    expect(refusal(() => update('lear@zulip.com', owner, { ...free, taken: true }))).toBe('Email is already in use');
  });

  it('claims a new email, not another spelling of its own', () => {
    expect(claimsEmail(account(), 'lear@zulip.com')).toBe(true);
    expect(claimsEmail(account(), 'CORDELIA@zulip.com')).toBe(false);
    expect(claimsEmail(account(), undefined)).toBe(false);
    expect(claimsEmail(account({ email: null }), 'cordelia@zulip.com')).toBe(true);
  });
});

describe('changing one’s own name and email', () => {
  const rename = (fullName: string, rules = { nameTaken: false, mayRename: allowed }) =>
    renameOneself(account(), fullName, rules);
  const ask = (email: string, rules = { address: free as EmailRules, mayChangeEmail: allowed }) =>
    askForEmail(account(), email, rules);

  it('is an event for the name, and one that asks for the email', () => {
    expect(rename(' Lear ')).toMatchObject([{ type: 'users.FullNameChanged', sealed: { fullName: 'Lear' } }]);
    expect(ask('lear@zulip.com')).toMatchObject([
      { type: 'users.EmailChangeAsked', sealed: { email: 'lear@zulip.com' } },
    ]);
  });

  it('is no event if nothing changes, also if changes are not allowed', () => {
    const noName = { nameTaken: false, mayRename: refused(reject.namesAreFixed()) };
    const noEmail = { address: free, mayChangeEmail: refused(reject.emailsAreFixed()) };
    expect([rename(' Cordelia ', noName), ask('cordelia@zulip.com', noEmail)]).toEqual([[], []]);
    expect(refusal(() => rename('Lear', noName))).toContain('Name changes are disabled');
    expect(refusal(() => ask('lear@zulip.com', noEmail))).toContain('Email address changes are disabled');
  });

  it('refuses invalid names, and names and emails in use', () => {
    for (const fullName of ['', ' ', 'a@b', 'x'.repeat(101)]) expect(refusal(() => rename(fullName))).toBeDefined();
    expect(refusal(() => rename('Lear', { nameTaken: true, mayRename: allowed }))).toContain('Unique names');
    const taken = { address: { ...free, taken: true }, mayChangeEmail: allowed };
    expect(refusal(() => ask('l@zulip.com', taken))).toContain('in use');
  });

  it('is restricted to administrators if the organization says so, and refused for emails of bots', () => {
    const fixed = { name_changes_disabled: true, email_changes_disabled: true };
    const open = { name_changes_disabled: false, email_changes_disabled: false };
    for (const role of ROLES) {
      const actor = { role, botType: null };
      const isAdministrator = role <= Role.administrator;
      expect([mayRenameOneself(actor, fixed), mayMoveOneself(actor, fixed)].map((verdict) => verdict.allowed)).toEqual([
        isAdministrator,
        isAdministrator,
      ]);
      expect(mayRenameOneself(actor, open)).toEqual(allowed);
      expect(mayMoveOneself(actor, open)).toEqual(allowed);
      expect(mayMoveOneself({ role, botType: 1 }, open)).not.toEqual(allowed);
    }
  });
});

describe('special permissions', () => {
  it('are given and removed one by one, and equal values are no events', () => {
    expect(changePermissions(account(), { canCreateUsers: true })).toMatchObject([
      { data: { userId: 7, canCreateUsers: true, canChangeUserEmails: false } },
    ]);
    expect(changePermissions(account(), { canCreateUsers: false })).toEqual([]);
    expect(changePermissions(account({ canChangeUserEmails: true }), { canChangeUserEmails: false })).toHaveLength(1);
    expect(refusal(() => changePermissions(null, {}))).toBe('No such user');
  });
});

describe('a time zone', () => {
  it.each(['', 'UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Etc/GMT+5', 'US/Pacific', 'America/Port-au-Prince'])(
    'may be %j',
    (text) => expect(isTimezone(text)).toBe(true),
  );
  it.each(['+05:00', 'europe/berlin', 'Mars/Phobos', 'Berlin', 'Europe/', ' UTC', 'Europe/Berlin\n'])(
    'is not %j',
    (text) => expect(isTimezone(text)).toBe(false),
  );
});
