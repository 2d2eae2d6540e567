import type { UserId } from '@annals/kernel/domain';
import { Role, allowed, fact } from '@annals/kernel/domain';
import { given } from '../../../../../test/support/events/recorded-events';
import type { Account } from '../account/account';
import { openAccount, userAggregate } from '../account/account';
import { avatarChanged, changeOwnAvatar } from './avatar';
import type { AccountEvent } from '../events';
import { AvatarChanged } from '../events';

const userId = 7 as UserId;
const A = 'a'.repeat(32);
const B = 'b'.repeat(32);
const rules = { avatarChangesDisabled: false };
const opened = openAccount(
  null,
  {
    userId,
    email: 'ann@example.com',
    fullName: 'Ann',
    role: Role.member,
    botType: null,
    botOwnerId: null,
    isSystemBot: false,
    awaitsFirstLogin: false,
    canCreateUsers: false,
    canChangeUserEmails: false,
  },
  { address: allowed, emailTaken: false, nameTaken: false },
);
const account = (...later: AccountEvent[]) =>
  given<Account | null, AccountEvent>(userAggregate, ...opened, ...later) as Account;
const changed = (file: string | null, version: number) => fact(AvatarChanged, { userId, file, version });

describe('a picture', () => {
  it('follows another one, each with a higher version', () => {
    expect(changeOwnAvatar(account(), A, { role: Role.member }, rules)).toEqual([changed(A, 2)]);
    expect(changeOwnAvatar(account(changed(A, 2)), B, { role: Role.member }, rules)).toEqual([changed(B, 3)]);
    expect(changeOwnAvatar(account(changed(A, 2)), null, { role: Role.member }, rules)).toEqual([changed(null, 3)]);
  });

  it('is not removed if there is none', () => {
    expect(avatarChanged(account(), null)).toEqual([]);
    expect(avatarChanged(account(changed(A, 2), changed(null, 3)), null)).toEqual([]);
  });

  it('is changed by administrators only, if the organization says so', () => {
    const closed = { avatarChangesDisabled: true };
    for (const role of [Role.moderator, Role.member, Role.guest]) {
      for (const file of [A, null]) {
        expect(() => changeOwnAvatar(account(), file, { role }, closed)).toThrow('Avatar changes are disabled');
      }
    }
    for (const role of [Role.owner, Role.administrator]) {
      expect(changeOwnAvatar(account(), A, { role }, closed)).toHaveLength(1);
    }
  });

  it('needs an account', () => {
    expect(() => changeOwnAvatar(null, A, { role: Role.member }, rules)).toThrow('No such user');
  });
});
