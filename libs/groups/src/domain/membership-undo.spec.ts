import type { Recorded, UserId } from '@annals/kernel/domain';
import type { MembershipEvent } from './membership-undo';
import { remainingMembers } from './membership-undo';

const [ann, ben, eva] = [1, 2, 3] as [UserId, UserId, UserId];
const later = (type: string, ...userIds: UserId[]) =>
  ({ type, data: { groupId: 5, userIds } }) as unknown as Recorded<MembershipEvent>;

it('leaves the members of an act whom later acts added or removed, also if they are as the act left them', () => {
  const after = [later('groups.MembersRemoved', ben), later('groups.MembersAdded', ben)];
  expect(remainingMembers([ann, ben, eva], after)).toEqual({ unchanged: [ann, eva], changed: [ben] });
  expect(remainingMembers([ann, ben], [])).toEqual({ unchanged: [ann, ben], changed: [] });
});
