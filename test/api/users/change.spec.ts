import { startWithUsers } from '../../support/server/start-with-users';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let administrator: Person;
let member: Person;
let guest: Person;
beforeAll(async () => ({ server, owner, administrator, member, guest } = await startWithUsers()));
afterAll(() => server.close());

interface User {
  readonly user_id: number;
  readonly full_name: string;
  readonly role: number;
  readonly is_active: boolean;
}
const ok = { status: 200, body: { result: 'success', msg: '' } };
const refused = (code: string) => ({ status: 400, body: { result: 'error', code } });
const user = async (id: number | string, by: Person = owner) =>
  (await by.get<{ user: User }>(`/users/${id}`)).body.user;
const NOTIFICATION_BOT = 'notification-bot@annals.invalid';

describe('PATCH /users/{user_id}', () => {
  it('changes a name, by id and by email', async () => {
    const person = await server.person();
    const events = await member.receive(async () => {
      expect(await administrator.patch(`/users/${person.id}`, { full_name: ' Lear ' })).toMatchObject(ok);
      expect(await owner.patch(`/users/${encodeURIComponent(person.email)}`, { full_name: 'King Lear' })).toMatchObject(
        ok,
      );
    }, 'realm_user');
    expect(await user(person.id)).toMatchObject({ full_name: 'King Lear' });
    // A name is shown as it is at delivery.
    expect(events).toMatchObject([
      { op: 'update', person: { user_id: person.id, full_name: 'King Lear' } },
      { op: 'update', person: { user_id: person.id, full_name: 'King Lear' } },
    ]);
  });

  it('applies the permissions of the role at once', async () => {
    const person = await server.person();
    expect((await person.patch(`/users/${member.id}`, { full_name: 'Mia' })).status).toBe(400);
    await owner.patch(`/users/${person.id}`, { role: 200 });
    expect((await person.patch(`/users/${member.id}`, { full_name: 'Mia' })).status).toBe(200);
    await owner.patch(`/users/${person.id}`, { role: 400 });
    expect((await person.patch(`/users/${member.id}`, { full_name: 'Mia' })).status).toBe(400);
  });

  it('sends no event where nothing changes', async () => {
    const events = await owner.receive(async () => {
      for (const params of [{}, { full_name: 'Mia', role: 400 }, { full_name: '  ' }, { full_name: '' }]) {
        expect(await owner.patch(`/users/${member.id}`, params)).toMatchObject(ok);
      }
    });
    expect(events).toEqual([]);
  });

  it('is allowed to administrators', async () => {
    const moderator = await server.person({ role: 'moderator' });
    for (const by of [moderator, member, guest]) {
      expect(await by.patch(`/users/${guest.id}`, { full_name: 'Other' })).toMatchObject(refused('BAD_REQUEST'));
      expect(await by.patch(`/users/${by.id}`, { role: 100 })).toMatchObject(refused('BAD_REQUEST'));
    }
  });

  it('keeps the last owner', async () => {
    expect(await owner.patch(`/users/${owner.id}`, { role: 400 })).toMatchObject(refused('BAD_REQUEST'));
    const bot = await server.bot(owner);
    expect(await owner.patch(`/users/${bot.id}`, { role: 100 })).toMatchObject(ok);
    expect(await owner.patch(`/users/${owner.id}`, { role: 400 })).toMatchObject(refused('BAD_REQUEST'));
  });

  it.each<[object]>([
    [{ role: 500 }],
    [{ role: '"400"' }],
    [{ role: 'member' }],
    [{ full_name: 'x' }],
    [{ full_name: 'a>b' }],
  ])('refuses %j, and does nothing else of it', async (params) => {
    expect(await owner.patch(`/users/${member.id}`, { full_name: 'Maria', ...params })).toMatchObject(
      refused('BAD_REQUEST'),
    );
    expect(await user(member.id)).toMatchObject({ full_name: 'Mia', role: 400 });
  });

  it('refuses unknown users', async () => {
    for (const name of ['999999', 'nobody@example.com', NOTIFICATION_BOT]) {
      expect(await owner.patch(`/users/${name}`, { role: 400 })).toMatchObject(refused('BAD_REQUEST'));
    }
  });
});

describe('DELETE /users/{user_id}', () => {
  it('deactivates an account and its bots, with events in this order', async () => {
    const deactivated = await server.person();
    const bot = await server.bot(deactivated);
    const events = await member.receive(async () => {
      expect(await administrator.delete(`/users/${deactivated.id}`)).toMatchObject(ok);
    });
    expect(events.map(({ type, op }) => `${type}/${op}`)).toEqual([
      'user_group/remove_members',
      'user_group/remove_members',
      'realm_user/update',
      'user_group/remove_members',
      'user_group/remove_members',
      'subscription/peer_remove',
      'realm_user/update',
    ]);
    expect(events[2]).toMatchObject({ person: { user_id: bot.id, is_active: false } });
    expect(events.at(-1)).toMatchObject({ person: { user_id: deactivated.id, is_active: false } });
    expect(await user(deactivated.id)).toMatchObject({ is_active: false });
    for (const one of [deactivated, bot]) {
      expect(await one.get('/users/me')).toMatchObject({ status: 401, body: { code: 'USER_DEACTIVATED' } });
    }
  });

  it('removes the bots of a deactivated user for administrators', async () => {
    const deactivated = await server.person();
    const bot = await server.bot(deactivated);
    const events = await administrator.receive(() => owner.delete(`/users/${deactivated.id}`), 'realm_bot');
    expect(events).toMatchObject([{ op: 'delete', bot: { user_id: bot.id } }]);
  });

  it('still allows changes of a deactivated account', async () => {
    const deactivated = await server.person();
    await owner.delete(`/users/${deactivated.id}`);
    expect(await owner.patch(`/users/${deactivated.id}`, { full_name: 'Late Name', role: 600 })).toMatchObject(ok);
    expect(await user(deactivated.id)).toMatchObject({ full_name: 'Late Name', role: 600, is_active: false });
  });

  it('refuses invalid requests', async () => {
    const deactivated = await server.person();
    const bot = await server.bot(owner);
    await owner.delete(`/users/${deactivated.id}`);
    const { user_id: system } = await user(NOTIFICATION_BOT);
    for (const id of [deactivated.id, bot.id, system, owner.id, 999_999]) {
      expect(await owner.delete(`/users/${id}`)).toMatchObject(refused('BAD_REQUEST'));
    }
    expect((await owner.get('/users/me')).status).toBe(200);
  });

  it('is allowed to administrators, and for owners to owners', async () => {
    const second = await server.person({ role: 'owner' });
    for (const [by, id] of [
      [member, guest.id],
      [guest, guest.id],
      [administrator, second.id],
    ] as const) {
      expect(await by.delete(`/users/${id}`)).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
    }
    expect(await owner.delete(`/users/${second.id}`)).toMatchObject(ok);
  });

  it('matches ids only', async () => {
    expect(await owner.delete('/users/somebody')).toMatchObject({ status: 405 });
  });
});
