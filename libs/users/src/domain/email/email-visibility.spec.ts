import type { Role, UserId } from '@annals/kernel/domain';
import { ROLES } from '@annals/kernel/domain';
import { EmailVisibility, hasOpenEmail, seesEmail } from './email-visibility';

const [owner, other] = [7, 8] as [UserId, UserId];
const { everyone, members, moderators, administrators, nobody } = EmailVisibility;

/** The roles that see the email of another user (contract/permissions.md section 7). */
const SEEN_BY: readonly (readonly [EmailVisibility, readonly number[]])[] = [
  [everyone, [100, 200, 300, 400, 600]],
  [members, [100, 200, 300, 400]],
  [moderators, [100, 200, 300]],
  [administrators, [100, 200]],
  [nobody, []],
];

describe.each(SEEN_BY)('an email with visibility %d', (addressVisibility, roles) => {
  const sees = (userId: UserId, role: Role, botType: 1 | null = null) =>
    seesEmail({ userId, role }, { userId: owner, botType, addressVisibility });

  it(`is seen by the roles ${roles.join()}`, () => {
    expect(ROLES.filter((role) => sees(other, role))).toEqual(roles);
  });

  it('is seen by its owner, whatever their role', () => {
    expect(ROLES.every((role) => sees(owner, role))).toBe(true);
  });

  it('is never hidden for a bot', () => {
    expect(ROLES.every((role) => sees(other, role, 1))).toBe(true);
    expect(hasOpenEmail({ botType: 1, addressVisibility })).toBe(true);
    expect(hasOpenEmail({ botType: null, addressVisibility })).toBe(roles.includes(600));
  });
});
