import type { UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { MAX_MUTED_USERS, muteUser, unmuteUser } from './muted-users';
import { UserMuted, UserUnmuted } from './muting-events';

const [ann, bob] = [1, 2] as [UserId, UserId];
const many = (count: number) => new Set(Array.from({ length: count }, (_, n) => (n + 10) as UserId));

describe('muting a user', () => {
  it('is an event with both users', () => {
    expect(muteUser(many(3), ann, bob)).toEqual([fact(UserMuted, { userId: ann, mutedUserId: bob })]);
    expect(unmuteUser(new Set([bob]), ann, bob)).toEqual([fact(UserUnmuted, { userId: ann, mutedUserId: bob })]);
  });

  it('is refused for oneself, a second time, and beyond the limit', () => {
    expect(() => muteUser(new Set(), ann, ann)).toThrow('Cannot mute self');
    expect(() => muteUser(new Set([bob]), ann, bob)).toThrow('User already muted');
    expect(() => muteUser(many(MAX_MUTED_USERS), ann, bob)).toThrow(`${MAX_MUTED_USERS}`);
    expect(muteUser(many(MAX_MUTED_USERS - 1), ann, bob)).toHaveLength(1);
  });

  it('cannot be undone for a user who is not muted', () => {
    expect(() => unmuteUser(many(3), ann, bob)).toThrow('User is not muted');
  });
});
