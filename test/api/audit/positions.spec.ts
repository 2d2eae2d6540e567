import { granted } from '../../support/server/caller';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

describe('GET /audit/positions', () => {
  let users: ServerWithUsers;
  beforeAll(async () => void (users = await startWithUsers()));
  afterAll(() => users.server.close());

  const resolved = async (params: Record<string, unknown>) => {
    const { position, at } = granted(await users.owner.get('/audit/positions', params));
    return { position, at };
  };
  const post = async () =>
    granted(
      await users.owner.post<{ id: number }>('/messages', { type: 'channel', to: 'general', topic: 't', content: 'x' }),
    ).id;

  it('gives the last position that is not later than a time, and the time of a position', async () => {
    const { clock } = users.server;
    clock.advance(60_000);
    const first = await post();
    const at = new Date(clock.now()).toISOString();
    clock.advance(60_000);
    expect(await resolved({ at })).toEqual({ position: first, at });
    expect(await resolved({ at: String(Math.floor(clock.now() / 1000) - 30) })).toEqual({ position: first, at });
    expect(await resolved({ at: `p${first}` })).toEqual({ position: first, at });
    expect(await resolved({ position: first })).toEqual({ position: first, at });
    expect(await resolved({ at: '0' })).toEqual({ position: 0, at: null });
    expect(await resolved({ at: '1999-01-01T00:00:00Z' })).toEqual({ position: 0, at: null });
    const second = await post();
    expect((await resolved({ at: new Date(clock.now()).toISOString() })).position).toBe(second);
  });

  it.each([[{ at: 'p99999' }], [{ position: 99_999 }], [{ at: '2100-01-01T00:00:00Z' }], [{ at: 'yesterday' }]])(
    'refuses %j, which the log has not reached',
    async (params) => {
      expect(await users.owner.get('/audit/positions', params)).toMatchObject({
        status: 400,
        body: { code: 'BAD_MOMENT' },
      });
    },
  );

  it.each([[{}], [{ at: '1', position: 1 }], [{ position: -1 }], [{ position: 'one' }]])(
    'refuses %j',
    async (params) => {
      expect(await users.owner.get('/audit/positions', params)).toMatchObject({
        status: 400,
        body: { result: 'error' },
      });
    },
  );

  it('is for users who may audit', async () => {
    const by = async (who: keyof ServerWithUsers) => {
      const { status, body } = await (users[who] as typeof users.owner).get('/audit/positions', { position: 1 });
      return [status, body.code];
    };
    expect(await by('administrator')).toEqual([403, 'UNAUTHORIZED_AUDIT']);
    expect(await by('guest')).toEqual([403, 'UNAUTHORIZED_AUDIT']);
    const direct = { direct_members: [users.administrator.id, users.guest.id], direct_subgroups: [] };
    granted(await users.owner.patch('/realm', { can_audit_group: { new: direct } }));
    expect(await by('administrator')).toEqual([200, undefined]);
    expect(await by('guest')).toEqual([403, 'UNAUTHORIZED_AUDIT']);
    expect(await by('owner')).toEqual([403, 'UNAUTHORIZED_AUDIT']);
  });
});
