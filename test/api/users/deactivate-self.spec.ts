import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
beforeAll(async () => {
  server = await startTestServer({ apis: 2 });
  owner = server.owner;
});
afterAll(() => server.close());

const done = { status: 200, body: { result: 'success', msg: '' } };
const last = (entity: string, isLastOwner: boolean) => ({
  status: 400,
  body: {
    result: 'error',
    msg: `Cannot deactivate the only ${entity}.`,
    code: 'CANNOT_DEACTIVATE_LAST_USER',
    is_last_owner: isLastOwner,
    entity,
  },
});
const leave = (person: Person, at = server.url) => person.at(at).delete('/users/me');

describe('DELETE /users/me', () => {
  it('refuses the only account, and the only owner', async () => {
    expect(await leave(owner)).toMatchObject(last('user', false));
    await server.person();
    expect(await leave(owner)).toMatchObject(last('organization owner', true));
    const bot = await server.bot(owner);
    granted(await owner.patch(`/users/${bot.id}`, { role: 100 }));
    expect(await leave(owner)).toMatchObject(last('organization owner', true));
    expect((await owner.get('/users/me')).status).toBe(200);
  });

  it.each(['administrator', 'moderator', 'member', 'guest'] as const)(
    'deactivates the account of a %s',
    async (role) => {
      const person = await server.person({ role });
      const events = await owner.receive(async () => expect(await leave(person)).toMatchObject(done), 'realm_user');
      expect(events).toMatchObject([{ op: 'update', person: { user_id: person.id, is_active: false } }]);
      expect(await person.get('/users/me')).toMatchObject({ status: 401, body: { code: 'USER_DEACTIVATED' } });
    },
  );

  it('deactivates the bots first, and lets a bot deactivate itself', async () => {
    const person = await server.person();
    const [bot, other] = [await server.bot(person), await server.bot(person)];
    expect(await leave(bot)).toMatchObject(done);
    expect(await bot.get('/users/me')).toMatchObject({ status: 401, body: { code: 'USER_DEACTIVATED' } });
    const events = await owner.receive(() => leave(person), 'realm_user');
    expect(events).toMatchObject([{ person: { user_id: other.id } }, { person: { user_id: person.id } }]);
  });

  it('is sent after the creation of the user, however late it is delivered', async () => {
    let person = owner;
    const events = await owner.receive(async () => {
      person = await server.person();
      granted(await owner.delete(`/users/${person.id}`, { actions: { delete_profile: true } }));
    }, 'realm_user');
    const received = events.map(({ op, person }) => ({ op, ...(person as { user_id: number; is_active?: boolean }) }));
    expect(received.filter(({ is_active }) => is_active !== undefined)).toMatchObject([
      { op: 'add', user_id: person.id, is_active: true },
      { op: 'update', user_id: person.id, is_active: false },
    ]);
    expect(received[0]).not.toHaveProperty('is_deleted');
    expect(received.at(-1)).toEqual({ op: 'update', user_id: person.id, is_deleted: true });
  });

  it('ignores parameters', async () => {
    const person = await server.person();
    const { body } = await person.delete('/users/me', { actions: { delete_profile: true } });
    expect(body).toEqual({ ...done.body, ignored_parameters_unsupported: ['actions'] });
    const { user } = granted(await owner.get<{ user: { full_name: string } }>(`/users/${person.id}`));
    expect(user.full_name).toMatch(/^Person/);
  });

  it('keeps one owner when the last two deactivate themselves at once, on two processes (guard last-owner)', async () => {
    for (let n = 0; n < 4; n++) {
      const second = await server.person({ role: 'owner' });
      const [here = '', there = ''] = server.apis.map(({ url }) => url);
      const answers = await Promise.all([leave(owner, here), leave(second, there)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      expect(answers.find(({ status }) => status === 400)).toMatchObject(last('organization owner', true));
      const stayed = answers[0]?.status === 200 ? second : owner;
      if (stayed === second) granted(await second.post(`/users/${owner.id}/reactivate`));
      else continue;
      granted(await leave(second));
    }
    expect((await owner.get('/users/me')).status).toBe(200);
  });
});
