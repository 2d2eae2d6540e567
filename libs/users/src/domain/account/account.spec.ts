import type { BotType, UserId } from '@annals/kernel/domain';
import { Role, allowed, refused } from '@annals/kernel/domain';
import { given } from '../../../../../test/support/events/recorded-events';
import type { Account, NewAccount } from './account';
import { MAX_KEYS, firstLogin, grantKey, issueKey, logIn, regenerateKey } from '../sign-in/keys';
import {
  acquireBot,
  claimsName,
  deactivateAccount,
  deactivateBot,
  isOtherName,
  deactivateWithOwner,
  openAccount,
  updateAccount,
  userAggregate,
} from './account';
import type { AccountEvent, KeyId } from '../events';
import { reject } from '../rejections';

const free = { address: allowed, emailTaken: false, nameTaken: false };
const input = (requested: Partial<NewAccount> = {}): NewAccount => ({
  userId: 7 as UserId,
  email: 'cordelia@zulip.com',
  fullName: 'Cordelia',
  role: Role.member,
  botType: null,
  botOwnerId: null,
  isSystemBot: false,
  awaitsFirstLogin: false,
  canCreateUsers: false,
  canChangeUserEmails: false,
  ...requested,
});
const account = (requested: Partial<NewAccount> = {}, ...later: AccountEvent[]): Account =>
  given<Account | null, AccountEvent>(userAggregate, ...openAccount(null, input(requested), free), ...later) as Account;
const bot = (ownerId = 7) => account({ userId: 9 as UserId, botType: 1, botOwnerId: ownerId as UserId });
const after = (state: Account, ...facts: AccountEvent[]): Account =>
  facts.reduce<Account | null>((now, fact) => userAggregate.evolve(now, fact as never), state) as Account;
const by = (role: Role, userId = 1) => ({ role, userId: userId as UserId, canChangeUserEmails: false });
const refusal = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    return (error as { code: string }).code;
  }
  return 'allowed';
};

describe('opening an account', () => {
  it('keeps personal data in the sealed part', () => {
    expect(openAccount(null, input({ fullName: ' Cordelia ' }), free)).toMatchObject([
      {
        type: 'users.AccountCreated',
        data: { userId: 7, role: 400, botType: null, isSystemBot: false },
        sealed: { email: 'cordelia@zulip.com', fullName: 'Cordelia' },
      },
    ]);
  });

  it('refuses an email in use, a name in use if names must be unique, and an invalid name', () => {
    expect(() => openAccount(null, input(), { ...free, emailTaken: true })).toThrow('Email is already in use');
    const taken = { ...free, emailTaken: true };
    expect(() => openAccount(null, input({ botType: 1 }), taken)).toThrow('Username already in use.');
    expect(() => openAccount(null, input(), { ...free, nameTaken: true })).toThrow('Unique names required');
    expect(() => openAccount(null, input({ fullName: 'C' }), free)).toThrow('Name too short!');
  });

  it('refuses an email that the organization does not allow', () => {
    const address = refused(reject.disposableEmail());
    expect(() => openAccount(null, input(), { ...free, address })).toThrow('Disposable email addresses');
  });
});

describe('updating an account', () => {
  const none = { nameTaken: false, isLastOwner: false, address: { address: allowed, taken: false } };
  const update = (state: Account | null, changes: Parameters<typeof updateAccount>[1], role: Role, rules = none) =>
    updateAccount(state, changes, by(role), rules);

  it('changes name and role in one command', () => {
    expect(update(account(), { fullName: ' Cordelia L. ', role: Role.moderator }, Role.administrator)).toMatchObject([
      { type: 'users.FullNameChanged', data: { userId: 7 }, sealed: { fullName: 'Cordelia L.' } },
      { type: 'users.RoleChanged', data: { userId: 7, from: 400, to: 300, isActive: true } },
    ]);
  });

  it('leaves no event for equal values, or for a blank name', () => {
    for (const fullName of ['Cordelia', ' Cordelia ', '', '   ', undefined]) {
      expect(update(account(), { fullName, role: Role.member }, Role.owner)).toEqual([]);
    }
  });

  it('is allowed to administrators', () => {
    for (const role of [Role.moderator, Role.member, Role.guest]) {
      expect(refusal(() => update(account(), {}, role))).toBe('BAD_REQUEST');
      expect(refusal(() => update(null, { role: Role.guest }, role))).toBe('BAD_REQUEST');
    }
  });

  it.each<[from: Role, to: Role, actor: Role, outcome: string]>([
    [Role.member, Role.administrator, Role.administrator, 'allowed'],
    [Role.member, Role.guest, Role.administrator, 'allowed'],
    [Role.administrator, Role.guest, Role.administrator, 'allowed'],
    [Role.guest, Role.moderator, Role.administrator, 'allowed'],
    [Role.member, Role.owner, Role.owner, 'allowed'],
    [Role.member, Role.owner, Role.administrator, 'UNAUTHORIZED_PRINCIPAL'],
    [Role.owner, Role.member, Role.administrator, 'UNAUTHORIZED_PRINCIPAL'],
    [Role.owner, Role.owner, Role.administrator, 'allowed'],
    [Role.guest, Role.administrator, Role.owner, 'BAD_REQUEST'],
    [Role.guest, Role.administrator, Role.administrator, 'BAD_REQUEST'],
    [Role.guest, Role.owner, Role.owner, 'BAD_REQUEST'],
  ])('from role %i to %i by %i: %s', (role, to, actor, outcome) => {
    expect(refusal(() => update(account({ role }), { role: to }, actor))).toBe(outcome);
  });

  it('keeps the last owner', () => {
    const owner = account({ role: Role.owner });
    const last = { ...none, isLastOwner: true };
    expect(() => update(owner, { role: Role.member }, Role.owner, last)).toThrow('only organization owner');
    expect(update(owner, { fullName: 'King Lear' }, Role.owner, last)).toHaveLength(1);
  });

  it('refuses all when one part is refused', () => {
    expect(refusal(() => update(account(), { fullName: 'Lear', role: Role.owner }, Role.administrator))).toBe(
      'UNAUTHORIZED_PRINCIPAL',
    );
    expect(refusal(() => update(account(), { fullName: 'a@b', role: Role.guest }, Role.owner))).toBe('BAD_REQUEST');
    expect(refusal(() => update(account(), { fullName: 'Lear' }, Role.owner, { ...none, nameTaken: true }))).toBe(
      'BAD_REQUEST',
    );
  });

  it('works on deactivated accounts, and records that they are', () => {
    const gone = after(account(), ...deactivateAccount(account(), by(Role.owner), { isLastOwner: false }));
    expect(update(gone, { role: Role.guest }, Role.owner)).toMatchObject([{ data: { isActive: false } }]);
  });

  it('refuses system accounts', () => {
    expect(refusal(() => update(account({ isSystemBot: true }), { role: Role.guest }, Role.owner))).toBe('BAD_REQUEST');
  });

  it('decides whether a name has to be claimed', () => {
    expect(isOtherName({ fullName: 'Ann' }, 'ANN')).toBe(true);
    expect(claimsName({ fullName: 'Ann' }, 'ANN')).toBe(false);
    expect(claimsName({ fullName: 'Ann' }, 'Anna')).toBe(true);
  });
});

describe('deactivating', () => {
  const end = (state: Account | null, role: Role, isLastOwner = false) =>
    deactivateAccount(state, by(role), { isLastOwner });

  it('deactivates an account once', () => {
    const facts = end(account(), Role.administrator);
    expect(facts).toMatchObject([{ type: 'users.Deactivated', data: { userId: 7, role: 400, botOwnerId: null } }]);
    expect(() => end(after(account(), ...facts), Role.owner)).toThrow('User is deactivated');
  });

  it('of an owner requires an owner, and another one that remains', () => {
    const owner = account({ role: Role.owner });
    expect(refusal(() => end(owner, Role.administrator))).toBe('UNAUTHORIZED_PRINCIPAL');
    expect(end(owner, Role.owner)).toHaveLength(1);
    expect(() => end(owner, Role.owner, true)).toThrow('Cannot deactivate the only organization owner');
  });

  it('is not allowed to members and bots, and refuses system and unknown accounts', () => {
    expect(refusal(() => end(account(), Role.moderator))).toBe('BAD_REQUEST');
    for (const state of [null, bot(), account({ isSystemBot: true, botType: 1 })]) {
      expect(() => end(state, Role.owner)).toThrow('No such user');
    }
  });

  it('deactivates the active bots', () => {
    const facts = deactivateWithOwner(bot());
    expect(facts).toMatchObject([{ data: { userId: 9, botOwnerId: 7 } }]);
    expect(deactivateWithOwner(after(bot(), ...facts))).toEqual([]);
  });

  it('of a bot is allowed to its owner and administrators', () => {
    expect(deactivateBot(bot(), by(Role.member, 7))).toHaveLength(1);
    expect(deactivateBot(bot(), by(Role.administrator))).toHaveLength(1);
    expect(() => deactivateBot(bot(), by(Role.moderator))).toThrow('Insufficient permission');
    for (const state of [null, account(), account({ isSystemBot: true, botType: 1 })]) {
      expect(() => deactivateBot(state, by(Role.owner))).toThrow('No such bot');
    }
  });

  it('of a deactivated bot changes nothing', () => {
    const gone = after(bot(), ...deactivateBot(bot(), by(Role.owner)));
    expect(deactivateBot(gone, by(Role.owner))).toEqual([]);
  });
});

describe('keys', () => {
  const key = (id: number) => id as KeyId;
  const keys = (count: number) => Array.from({ length: count }, (_, n) => key(n + 1));
  const withKeys = (count: number) => after(account(), ...keys(count).flatMap((id) => issueKey(account(), id, [])));

  it('can be several at once', () => {
    expect(issueKey(withKeys(MAX_KEYS - 1), key(50), [])).toEqual([
      { type: 'users.ApiKeyIssued', data: { userId: 7, keyId: 50 }, sealed: null },
    ]);
  });

  it('are limited: the one unused for longest ends', () => {
    const full = withKeys(MAX_KEYS);
    const facts = issueKey(full, key(99), [key(3), key(1)]);
    expect(facts).toMatchObject([
      { type: 'users.ApiKeysRevoked', data: { userId: 7, keyIds: [3] } },
      { type: 'users.ApiKeyIssued', data: { keyId: 99 } },
    ]);
    const next = after(full, ...facts);
    expect(next.keys).toHaveLength(MAX_KEYS);
    expect(next.keys).not.toContain(3);
  });

  it('are all replaced by a new one', () => {
    const facts = regenerateKey(withKeys(3), key(4));
    expect(facts).toMatchObject([
      { type: 'users.ApiKeysRevoked', data: { userId: 7, keyIds: [1, 2, 3] } },
      { type: 'users.ApiKeyIssued', data: { userId: 7, keyId: 4 } },
    ]);
    expect(after(withKeys(3), ...facts).keys).toEqual([4]);
    expect(regenerateKey(withKeys(0), key(4))).toMatchObject([{ type: 'users.ApiKeyIssued' }]);
  });

  it('are not issued to deactivated and system accounts', () => {
    const left = after(account(), ...deactivateAccount(account(), { role: Role.owner }, { isLastOwner: false }));
    expect(() => regenerateKey(left, key(4))).toThrow('deactivated');
    expect(() => regenerateKey(account({ isSystemBot: true, botType: 1 }), key(4))).toThrow('No such user');
    expect(() => regenerateKey(null, key(4))).toThrow('No such user');
  });

  it('are issued by a login, with an event for the first one', () => {
    const waiting = account({ awaitsFirstLogin: true });
    const facts = logIn(waiting, key(1), []);
    expect(facts.map(({ type }) => type)).toEqual(['users.FirstLoggedIn', 'users.ApiKeyIssued']);
    expect(logIn(after(waiting, ...facts), key(2), []).map(({ type }) => type)).toEqual(['users.ApiKeyIssued']);
  });

  it('are issued by an operator without a login', () => {
    const waiting = account({ awaitsFirstLogin: true });
    expect(grantKey(waiting, key(1), []).map(({ type }) => type)).toEqual(['users.ApiKeyIssued']);
    expect(after(waiting, ...grantKey(waiting, key(1), [])).awaitsFirstLogin).toBe(true);
  });

  it('are not given to a deactivated account', () => {
    const gone = after(account(), ...deactivateAccount(account(), by(Role.owner), { isLastOwner: false }));
    expect(refusal(() => logIn(gone, key(1), []))).toBe('USER_DEACTIVATED');
    expect(refusal(() => grantKey(gone, key(1), []))).toBe('USER_DEACTIVATED');
  });
});

describe('a user for whom an account was created', () => {
  const arrived = (state: Account) => firstLogin(state).map(({ data }) => data);

  it('joins once', () => {
    const waiting = account({ awaitsFirstLogin: true });
    expect(arrived(waiting)).toEqual([{ userId: 7 }]);
    expect(arrived(after(waiting, ...firstLogin(waiting)))).toEqual([]);
    expect(arrived(account())).toEqual([]);
  });

  it('replaces the imported stub', () => {
    expect(arrived(account({ awaitsFirstLogin: true, isImported: true }))).toEqual([{ userId: 7, wasImported: true }]);
  });

  it('does not join while the account is deactivated', () => {
    const waiting = account({ awaitsFirstLogin: true });
    expect(arrived(after(waiting, ...deactivateAccount(waiting, by(Role.owner), { isLastOwner: false })))).toEqual([]);
  });
});

describe('bots', () => {
  it('are recorded with their owner', () => {
    expect(after(account(), ...acquireBot(account(), 9 as UserId)).bots).toEqual([9]);
  });

  it('are not given to a deactivated account', () => {
    const gone = after(account(), ...deactivateAccount(account(), by(Role.owner), { isLastOwner: false }));
    expect(refusal(() => acquireBot(gone, 9 as UserId))).toBe('USER_DEACTIVATED');
  });

  it.each<BotType>([1, 2, 3, 4])('of type %i are accounts', (botType) => {
    expect(account({ botType, botOwnerId: 7 as UserId })).toMatchObject({
      botType,
      botOwnerId: 7,
      status: { kind: 'active' },
    });
  });
});
