import type { BotType, MessageId, UserId } from '@annals/kernel/domain';
import { Role, allowed, fact, refused } from '@annals/kernel/domain';
import { given } from '../../../../../test/support/events/recorded-events';
import type { Account } from './account';
import { userAggregate } from './account';
import type { OrphanedPlace } from './account-parts';
import { isOrphaned } from './account-parts';
import { NOTHING_DELETED, deactivateOwn, deleteWith, reactivate } from './account-lifecycle';
import type { AccountEvent, KeyId } from '../events';
import { AccountCreated, ApiKeyIssued, Deactivated, ProfileDeleted, Reactivated } from '../events';
import { reject } from '../rejections';

const userId = 7 as UserId;
const created = (role: Role, botType: BotType | null, isSystemBot = false) =>
  fact(
    AccountCreated,
    {
      userId,
      role,
      botType,
      botOwnerId: botType === null ? null : (3 as UserId),
      isSystemBot,
      awaitsFirstLogin: false,
      canCreateUsers: false,
      canChangeUserEmails: false,
    },
    { email: 'cordelia@zulip.com', fullName: 'Cordelia' },
  );
const left = fact(Deactivated, { userId, role: Role.member, botOwnerId: null });
const returned = fact(Reactivated, { userId, role: Role.member, botOwnerId: null });
const account = (...history: AccountEvent[]) => given<Account | null, AccountEvent>(userAggregate, ...history);
const person = created(Role.member, null);
const bot = created(Role.member, 1);
const administrator = { role: Role.administrator };

describe('deactivating oneself', () => {
  const nobodyElse = { isLastOwner: false, isLastUser: false };

  it('deactivates a person or a bot', () => {
    for (const one of [person, bot]) {
      expect(deactivateOwn(account(one), nobodyElse)).toMatchObject([{ type: 'users.Deactivated', data: { userId } }]);
    }
  });

  it('is refused to the last owner and to the last account, with the reason', () => {
    const refusal = (rules: typeof nobodyElse): unknown => {
      try {
        return deactivateOwn(account(person), rules);
      } catch (error) {
        return error;
      }
    };
    const code = 'CANNOT_DEACTIVATE_LAST_USER';
    const owner = { code, extra: { is_last_owner: true, entity: 'organization owner' } };
    expect(refusal({ isLastOwner: true, isLastUser: false })).toMatchObject(owner);
    expect(refusal({ isLastOwner: true, isLastUser: true })).toMatchObject({
      code,
      extra: { is_last_owner: false, entity: 'user' },
    });
  });

  it('is refused for a deactivated or unknown account', () => {
    expect(() => deactivateOwn(account(person, left), nobodyElse)).toThrow('Account is deactivated');
    expect(() => deactivateOwn(null, nobodyElse)).toThrow('No such user');
  });
});

describe('reactivating', () => {
  const free = { mayHaveBot: allowed };

  it('activates the account with its role', () => {
    expect(reactivate(account(person, left), administrator, free)).toEqual([returned]);
    const state = account(person, left, returned);
    expect(state).toMatchObject({ status: { kind: 'active' }, role: Role.member });
  });

  it('has the position of the deactivation', () => {
    expect(account(person)?.status).toEqual({ kind: 'active' });
    expect(account(person, left)?.status).toEqual({ kind: 'deactivated', since: 2 });
  });

  it('changes nothing for an active account', () => {
    expect(reactivate(account(person), administrator, free)).toEqual([]);
    expect(reactivate(account(person, left, returned), administrator, free)).toEqual([]);
  });

  it('is allowed to administrators, also for owners', () => {
    const owner = account(created(Role.owner, null), { ...left, data: { ...left.data, role: Role.owner } });
    expect(reactivate(owner, administrator, free)).toHaveLength(1);
    for (const role of [Role.moderator, Role.member, Role.guest]) {
      expect(() => reactivate(account(person, left), { role }, free)).toThrow('Must be an organization administrator');
    }
  });

  it('of a bot requires the permission to create such a bot', () => {
    const mayNot = { mayHaveBot: refused(reject.insufficientPermission()) };
    expect(reactivate(account(bot, left), administrator, free)).toHaveLength(1);
    expect(() => reactivate(account(bot, left), administrator, mayNot)).toThrow('Insufficient permission');
    expect(reactivate(account(person, left), administrator, mayNot)).toHaveLength(1);
  });

  it('is refused for unknown and system accounts', () => {
    for (const state of [null, account(created(Role.member, 1, true))]) {
      expect(() => reactivate(state, administrator, free)).toThrow('No such user');
    }
  });
});

describe('deletions with an account', () => {
  const key = fact(ApiKeyIssued, { userId, keyId: 3 as KeyId });
  const gone = account(person, key, left);
  const types = (deletions: Partial<typeof NOTHING_DELETED>) =>
    deleteWith(gone, { ...NOTHING_DELETED, ...deletions }).map(({ type }) => type);

  it('are none unless requested', () => {
    expect(types({})).toEqual([]);
  });

  it('include every key with the profile', () => {
    expect(types({ profile: true })).toEqual(['users.ApiKeysRevoked', 'users.ProfileDeleted']);
    expect(deleteWith(account(person, left), { ...NOTHING_DELETED, profile: true })).toEqual([
      fact(ProfileDeleted, { userId }),
    ]);
  });

  it('include messages of the requested kinds', () => {
    expect(deleteWith(gone, { ...NOTHING_DELETED, direct: true })).toMatchObject([
      { type: 'users.MessagesDisowned', data: { userId, direct: true, inPublicChannels: false } },
    ]);
    expect(types({ inPrivateChannels: true, profile: true })[0]).toBe('users.MessagesDisowned');
  });

  it('disown the messages of these kinds that were sent before, and with the profile all', () => {
    const ordered = account(person, left, ...deleteWith(gone, { ...NOTHING_DELETED, direct: true }));
    const at = ordered?.orphaned.direct ?? 0;
    const has = (id: number, kind: OrphanedPlace, state = ordered) => state && isOrphaned(state, id as MessageId, kind);
    expect([has(at - 1, 'direct'), has(at + 1, 'direct'), has(at - 1, 'inPublicChannels')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(has(at + 1, 'direct', account(person, left, fact(ProfileDeleted, { userId })))).toBe(true);
  });

  it('cannot be undone', () => {
    const deleted = account(person, left, fact(ProfileDeleted, { userId }));
    expect(deleted).toMatchObject({ status: { kind: 'deleted' }, fullName: 'Deleted user' });
    expect(() => reactivate(deleted, administrator, { mayHaveBot: allowed })).toThrow('User is deleted');
  });

  it('are refused for an active account', () => {
    expect(() => deleteWith(account(person), NOTHING_DELETED)).toThrow('account 7 is in use');
  });
});
