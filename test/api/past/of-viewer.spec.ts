import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

interface Viewed {
  readonly type: string;
  readonly data: { readonly endpoint: string; readonly parameters: Record<string, unknown>; readonly results: number };
}

describe('viewer_id in questions about channels, accounts and groups', () => {
  let users: ServerWithUsers;
  let secret: number;
  beforeAll(async () => {
    users = await startWithUsers();
    const { owner, member, other, groups } = users;
    secret = await users.server.channel(other, { name: 'secret', invite_only: true, subscribers: [other, member] });
    const auditors = { can_audit_content_group: { new: groups['owners'] } };
    granted(await owner.patch('/realm', auditors));
  });
  afterAll(() => users.server.close());

  function now(): string {
    const at = new Date(users.server.clock.now()).toISOString();
    users.server.clock.advance(61_000);
    return at;
  }
  const ask = (who: Person, path: string, params: Params) => who.get<Record<string, unknown>>(path, params);
  const paths = () => [
    '/users',
    `/users/${users.other.id}`,
    '/streams',
    `/streams/${secret}`,
    `/streams/${secret}/members`,
    `/users/${users.other.id}/channels`,
    '/user_groups',
    `/user_groups/${users.groups['members'] ?? 0}/members`,
  ];

  it('shows auditors what the user could see then, whatever both may see today, and the log records it', async () => {
    const { owner, member } = users;
    const as_of = now();
    granted(await member.delete('/users/me/subscriptions', { subscriptions: ['secret'] }));
    for (const path of paths()) granted(await ask(owner, path, { as_of, viewer_id: member.id }));
    const { body } = await owner.get<{ events: Viewed[] }>('/audit/events', {
      types: ['audit.Viewed'],
      order: 'oldest',
    });
    const reads = body.events.filter(({ data }) => data.parameters['viewer_id'] === member.id);
    expect(reads.map(({ data }) => [data.endpoint, data.results > 0])).toEqual(
      [
        'GET /users',
        'GET /users/{user}',
        'GET /streams',
        'GET /streams/{stream_id}',
        'GET /streams/{stream_id}/members',
        'GET /users/{user_id}/channels',
        'GET /user_groups',
        'GET /user_groups/{user_group_id}/members',
      ].map((endpoint) => [endpoint, true]),
    );
  });

  it('is for auditors of contents, of users that exist, and of the past', async () => {
    const { owner, administrator, member } = users;
    const as_of = now();
    for (const path of paths()) {
      const refused = async (who: Person, params: Params) => {
        const { status, body } = await ask(who, path, params);
        return [status, body['code']];
      };
      expect(await refused(administrator, { as_of, viewer_id: member.id })).toEqual([403, 'UNAUTHORIZED_AUDIT']);
      expect(await refused(member, { as_of, viewer_id: member.id })).toEqual([403, 'UNAUTHORIZED_AUDIT']);
      expect(await refused(owner, { as_of, viewer_id: 99_999 })).toEqual([400, 'BAD_REQUEST']);
      expect(await refused(owner, { viewer_id: member.id })).toEqual([400, 'BAD_REQUEST']);
      expect(await refused(owner, { as_of, viewer_id: 'somebody' })).toEqual([400, 'BAD_REQUEST']);
    }
  });
});
