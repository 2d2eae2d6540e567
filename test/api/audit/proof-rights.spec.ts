import { granted } from '../../support/server/caller';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

let users: ServerWithUsers;
beforeAll(async () => {
  users = await startWithUsers();
  await users.server.signCheckpoint();
});
afterAll(() => users.server.close());

describe('checkpoints, proofs and tiles', () => {
  it.each(['audit/checkpoint', 'audit/checkpoints', 'audit/tile/0/000.p/1', 'audit/tile/entries/000.p/1'])(
    'only auditors see %s',
    async (path) => {
      const statusFor = async (who: 'owner' | 'administrator' | 'member' | 'guest') =>
        (await users[who].raw(`/${path}`)).status;
      expect([await statusFor('owner'), await statusFor('administrator')]).toEqual([200, 403]);
      expect([await statusFor('member'), await statusFor('guest')]).toEqual([403, 403]);
    },
  );

  it.each([
    ['inclusion', { position: 1 }],
    ['consistency', { from: 1 }],
  ])('only auditors get proofs of %s', async (kind, params) => {
    const answer = await users.member.get(`/audit/proofs/${kind}`, params);
    expect(answer).toMatchObject({ status: 403, body: { code: 'UNAUTHORIZED_AUDIT' } });
    const direct = { direct_members: [users.member.id, users.owner.id], direct_subgroups: [] };
    granted(await users.owner.patch('/realm', { can_audit_group: { new: direct } }));
    granted(await users.member.get(`/audit/proofs/${kind}`, params));
    const back = { direct_members: [users.owner.id], direct_subgroups: [] };
    granted(await users.owner.patch('/realm', { can_audit_group: { new: back } }));
  });
});
