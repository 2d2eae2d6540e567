import type { UserId } from '@annals/kernel/domain';
import { Role, allowed, fact } from '@annals/kernel/domain';
import { given } from '../../../../../test/support/events/recorded-events';
import type { Account } from '../account/account';
import { openAccount, userAggregate } from '../account/account';
import { avatarChanged, changeOwnAvatar, isGenerated } from './avatar';
import type { AccountEvent } from '../events';
import { AvatarChanged } from '../events';

const userId = 7 as UserId;
const A = 'a'.repeat(32);
const B = 'b'.repeat(32);
const GENERATED = `${'0'.repeat(16)}${'c'.repeat(16)}`;
const rules = { avatarChangesDisabled: false };
const opened = (more: { avatarFile?: string }) =>
  openAccount(
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
      ...more,
    },
    { address: allowed, emailTaken: false, nameTaken: false },
  );
const accountWith = (more: { avatarFile?: string }, ...later: AccountEvent[]) =>
  given<Account | null, AccountEvent>(userAggregate, ...opened(more), ...later) as Account;
const account = (...later: AccountEvent[]) => accountWith({}, ...later);
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

  it('may be a generated one from the beginning, and follows an own one', () => {
    const generated = accountWith({ avatarFile: GENERATED });
    expect(generated.avatar).toEqual({ file: GENERATED, version: 1 });
    expect(avatarChanged(generated, GENERATED)).toEqual([]);
    expect(avatarChanged(account(changed(A, 2)), GENERATED)).toEqual([changed(GENERATED, 3)]);
    expect([GENERATED, A].map(isGenerated)).toEqual([true, false]);
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
