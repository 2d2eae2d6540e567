import { startWithUsers } from '../../support/server/start-with-users';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let administrator: Person;
let member: Person;
let groups: Readonly<Record<string, number>>;
beforeAll(async () => ({ server, owner, administrator, member, groups } = await startWithUsers()));
afterAll(() => server.close());

const ok = { status: 200, body: { result: 'success', msg: '' } };
const refused = (code: string) => ({ status: 400, body: { result: 'error', code } });

describe('POST /users', () => {
  const request = (input: object = {}) => ({
    email: 'new@example.com',
    full_name: 'New Comer',
    password: 'a very good one',
    ...input,
  });

  it('creates an account in the default channels, with events in this order', async () => {
    let id = 0;
    const events = await member.receive(async () => {
      const { status, body } = await owner.post<{ user_id: number }>(
        '/users',
        request({ email: ' First@example.com ' }),
      );
      expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '', user_id: body.user_id } });
      id = body.user_id;
    });
    expect(events.map(({ type, op }) => `${type}/${op}`)).toEqual([
      'realm_user/add',
      'user_group/add_members',
      'user_group/add_members',
      'subscription/peer_add',
    ]);
    expect(events[0]).toMatchObject({
      person: {
        user_id: id,
        email: 'First@example.com',
        is_active: true,
        role: 400,
        profile_data: {},
        avatar_url: null,
      },
    });
    expect(events.slice(1, 3)).toMatchObject([
      { group_id: groups['members'], user_ids: [id] },
      { group_id: groups['fullmembers'], user_ids: [id] },
    ]);
    expect(events[3]).toMatchObject({ user_ids: [id] });
  });

  it.each<[object]>([
    [{ full_name: 'x' }],
    [{ full_name: '   ' }],
    [{ full_name: 'x'.repeat(101) }],
    [{ full_name: 'a@b' }],
    [{ full_name: 'Ann|7' }],
    [{ full_name: 'tab\there' }],
    [{ email: 'no address' }],
    [{ email: '' }],
    [{ email: 'OWNER@example.com' }],
    [{ email: 'notification-bot@annals.invalid' }],
    [{ password: 'short' }],
    [{ password: '12345678' }],
    [{ password: 'new@example.com' }],
    [{ password: 'x'.repeat(101) }],
  ])('refuses %j', async (input) => {
    expect(await owner.post('/users', request(input))).toMatchObject(refused('BAD_REQUEST'));
    expect(await owner.get('/users/new@example.com')).toMatchObject(refused('BAD_REQUEST'));
  });

  it.each(['email', 'full_name', 'password'])('requires %s', async (name) => {
    const { body } = await owner.post('/users', request({ [name]: undefined }));
    expect(body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: name });
  });

  it('is allowed to administrators with the special permission', async () => {
    expect(await administrator.post('/users', request())).toMatchObject(refused('BAD_REQUEST'));
    const another = await server.person({ role: 'owner' });
    expect(await another.post('/users', request())).toMatchObject(refused('BAD_REQUEST'));
    expect(await member.post('/users', request())).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
    expect(await member.post('/users', {})).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
    await owner.patch(`/users/${another.id}`, { role: 400 });
  });

  it('refuses disposable emails as long as the organization does', async () => {
    const throwaway = request({ email: 'new@inbox.mailinator.com' });
    expect(await owner.post('/users', throwaway)).toMatchObject(refused('BAD_REQUEST'));
    expect(await owner.get('/users/new@inbox.mailinator.com')).toMatchObject(refused('BAD_REQUEST'));
    await owner.patch('/realm', { disallow_disposable_email_addresses: false });
    expect(await owner.post('/users', throwaway)).toMatchObject(ok);
    await owner.patch('/realm', { disallow_disposable_email_addresses: true });
  });

  it('requires unique names if the organization does', async () => {
    await owner.patch('/realm', { require_unique_names: true });
    expect(await owner.post('/users', request({ full_name: 'mIA' }))).toMatchObject(refused('BAD_REQUEST'));
    await owner.patch('/realm', { require_unique_names: false });
    expect(await owner.post('/users', request({ full_name: 'mIA', email: 'second@example.com' }))).toMatchObject(ok);
  });
});
