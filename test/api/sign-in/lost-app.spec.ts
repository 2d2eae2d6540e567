import { fact } from '@annals/kernel/domain';
import { TwoFactorsBegan } from '@annals/users';
import { outboxOf } from '../../support/mail/outbox';
import type { Shown } from '../../support/server/browser';
import { Browser } from '../../support/server/browser';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';
import { bySystem } from '../../support/server/system';

const PATH = '/account/two-factors/others';

let server: TestServer;
beforeAll(async () => (server = await startTestServer()));
afterAll(() => server.close());

/** Somebody whose logins need a code that nobody has. */
async function somebodyLost(): Promise<Person> {
  const person = await server.person();
  await bySystem(server.kernel, (work) =>
    work.append(`two-factors-${person.id}`, [fact(TwoFactorsBegan, { userId: person.id, recoveryCodes: 10 })]),
  );
  return person;
}

const logIn = ({ email: username, password }: Person) =>
  server.anonymous.post('/fetch_api_key', { username, password });

async function asks({ email: username, password }: Person, email: string): Promise<Shown> {
  const browser = new Browser(server.url);
  await browser.fill('/login', { username, password }, '/login');
  return browser.fill(PATH, { email }, PATH);
}

describe('somebody who has lost the app and all recovery codes', () => {
  it('is helped by an owner, and gets a mail', async () => {
    const person = await somebodyLost();
    expect((await logIn(person)).body.code).toBe('TWO_FACTOR_CODE_REQUIRED');
    const done = await asks(server.owner, person.email.toUpperCase());
    expect([done.status, done.words]).toEqual([200, expect.stringContaining('is enough to log in again')]);
    granted(await logIn(person));
    const mail = (await outboxOf(server)).findLast(({ to }) => to.includes(person.email));
    expect([mail?.subject, mail?.text]).toEqual([
      expect.stringContaining('Two-factor login'),
      expect.stringContaining('an owner of'),
    ]);
    const { body } = await server.owner.get('/audit/events', { types: ['users.TwoFactorsEnded'], limit: 1 });
    expect(body['events']).toMatchObject([{ actor: { user_id: server.owner.id }, data: { userId: person.id } }]);
    expect((await asks(server.owner, person.email)).words).toContain('Logins need no code');
  });

  it('is helped by nobody else, and an owner needs a code for themselves', async () => {
    const person = await somebodyLost();
    const administrator = await server.person({ role: 'administrator' });
    expect((await asks(administrator, person.email)).words).toContain('Must be an organization owner');
    expect((await asks(server.owner, server.owner.email)).words).toContain('ends with a code');
    expect((await asks(server.owner, 'nobody@example.com')).words).toContain('No such user');
    expect((await logIn(person)).status).toBe(401);
  });
});
