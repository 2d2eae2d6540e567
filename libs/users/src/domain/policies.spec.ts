import type { Actor, BotType, GroupId, UserId } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import { mayCreateBot, mayCreateUsers } from './policies';

const MEMBERS = 6 as GroupId;
const NOBODY = 1 as GroupId;
const actor = (of: Partial<Actor> = {}): Actor => ({
  realmId: 1 as Actor['realmId'],
  userId: 7 as UserId,
  role: Role.member,
  botType: null,
  botOwnerId: null,
  groups: new Set([MEMBERS]),
  version: 1,
  canCreateUsers: false,
  canChangeUserEmails: false,
  origin: { client: 'test', correlation: '', address: null },
  ...of,
});
const allowed = (verdict: { allowed: boolean }) => verdict.allowed;

describe('permission to create users', () => {
  it('requires an administrator with the special permission', () => {
    const may = (role: Role, canCreateUsers: boolean) => mayCreateUsers({ role, canCreateUsers });
    expect(allowed(may(Role.administrator, true))).toBe(true);
    expect(may(Role.owner, false)).toMatchObject({ because: { code: 'BAD_REQUEST' } });
    expect(may(Role.moderator, true)).toMatchObject({ because: { code: 'UNAUTHORIZED_PRINCIPAL' } });
  });
});

describe('permission to create bots', () => {
  const anyBot = { canCreateBots: MEMBERS, canCreateWriteOnlyBots: NOBODY };
  const writeOnly = { canCreateBots: NOBODY, canCreateWriteOnlyBots: MEMBERS };

  it.each<[BotType, boolean]>([
    [1, false],
    [2, true],
  ])('type %i with the smaller permission: %s', (type, may) => {
    expect(allowed(mayCreateBot(actor(), type, writeOnly))).toBe(may);
    expect(allowed(mayCreateBot(actor(), type, anyBot))).toBe(true);
  });

  it.each<BotType>([3, 4])('for bots of type %i is the permission for all bots', (type) => {
    expect(allowed(mayCreateBot(actor(), type, anyBot))).toBe(true);
    expect(allowed(mayCreateBot(actor(), type, writeOnly))).toBe(false);
  });

  it('is given to a group by the organization', () => {
    expect(allowed(mayCreateBot(actor({ groups: new Set() }), 1, anyBot))).toBe(false);
    const named = {
      canCreateBots: { directMembers: [7 as UserId], directSubgroups: [] },
      canCreateWriteOnlyBots: NOBODY,
    };
    expect(allowed(mayCreateBot(actor({ groups: new Set() }), 1, named))).toBe(true);
  });

  it('is never given to guests and bots, also if the setting names them', () => {
    const named = {
      canCreateBots: { directMembers: [7 as UserId], directSubgroups: [] },
      canCreateWriteOnlyBots: NOBODY,
    };
    expect(allowed(mayCreateBot(actor({ role: Role.guest }), 1, named))).toBe(false);
    expect(allowed(mayCreateBot(actor({ botType: 1 }), 1, anyBot))).toBe(false);
  });
});
