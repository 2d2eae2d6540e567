import { importUsers } from '@annals/onboarding';
import type { RealmId } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import { granted } from '../../support/server/caller';
import { read } from '../../support/requests/notices';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
/** Has a bot with the email that the welcome bot would have. */
let early: Person;
beforeAll(async () => {
  server = await startTestServer({ env: { ANNALS_WELCOME_BOT: 'on' } });
  owner = server.owner;
  await server.botsReacted();
  early = await server.person();
});
afterAll(() => server.close());

const GREETING = /^Hello, and welcome!/;
/** The texts that the welcome bot sent somebody. */
async function received(by: Person): Promise<string[]> {
  await server.botsReacted();
  const bot = await welcomeBot();
  return (await read(by, [{ operator: 'is', operand: 'dm' }])).flatMap(({ sender_id, content }) =>
    sender_id === bot.user_id ? [content] : [],
  );
}
async function welcomeBot() {
  const { cross_realm_bots } = await owner.register({ fetch_event_types: ['realm_user'] });
  const bots = cross_realm_bots as { user_id: number; full_name: string; email: string; is_system_bot: boolean }[];
  const bot = bots.find(({ full_name }) => full_name === 'Welcome Bot');
  if (!bot) throw new Error('there is no welcome bot');
  return bot;
}
const words = (text: string) => owner.patch('/realm', { welcome_message_custom_text: text });

describe('the welcome bot', () => {
  it('is a system bot that writes to the first owner and to everybody who joins, once', async () => {
    expect(await received(early)).toEqual([expect.stringMatching(GREETING)]);
    expect(await received(owner)).toEqual([expect.stringMatching(/^Hello, and welcome![^]*administrator/)]);
    expect(await welcomeBot()).toMatchObject({ email: 'welcome-bot@annals.invalid', is_system_bot: true });
    granted(await early.patch('/settings', { full_name: 'Early Bird' }));
    expect(await received(early)).toHaveLength(1);
  });

  it('writes nothing a second time although its task runs again', async () => {
    const { pool } = server.kernel.database;
    await pool.query(
      `INSERT INTO bot_tasks (realm_id, position, account_id, kind, at, attempts, due_at)
        VALUES (1, 1, $1, 'welcome', 0, 0, 0)`,
      [early.id],
    );
    expect(await received(early)).toHaveLength(1);
    expect((await pool.query('SELECT FROM bot_tasks')).rowCount).toBe(0);
  });

  it('adds what administrators wrote, in a message of its own', async () => {
    granted(await words('Lunch is at **noon**.'));
    const [greeting, theirs, ...more] = await received(await server.person());
    expect(greeting).toMatch(GREETING);
    expect(theirs).toContain('```quote\nLunch is at **noon**.\n```');
    expect(more).toEqual([]);
    granted(await words(''));
  });

  it('writes to imported users when they log in for the first time, and to no bot', async () => {
    const email = 'imported@example.com';
    const password = 'a long enough password';
    const people = [{ email, fullName: 'Imported', role: Role.member, password }];
    for await (const { person } of importUsers(server.kernel, { realmId: 1 as RealmId, url: server.url }, people))
      expect(person.email).toBe(email);
    await server.bot(early);
    const bot = await welcomeBot();
    const before = granted(await owner.get<{ members: { user_id: number }[] }>('/users')).members.length;
    await server.botsReacted();
    const welcomed = async () =>
      (await server.kernel.events.page(1 as never, 0, 1_000)).filter(({ type }) => type === 'bots.UserWelcomed').length;
    const count = await welcomed();
    expect(count).toBe(before - 2);
    granted(await server.anonymous.post('/fetch_api_key', { username: email, password }));
    await server.botsReacted();
    expect(await welcomed()).toBe(count + 1);
    expect(bot.user_id).toBeGreaterThan(0);
  });
});

describe('welcome_message_custom_text', () => {
  it('is changed by administrators, and sent to everybody', async () => {
    const events = await early.receive(() => words(' Hello there. '), 'realm');
    expect(events).toMatchObject([
      { op: 'update_dict', property: 'default', data: { welcome_message_custom_text: 'Hello there.' } },
    ]);
    const { realm_welcome_message_custom_text: text } = await early.register({ fetch_event_types: ['realm'] });
    expect(text).toBe('Hello there.');
    expect(await early.patch('/realm', { welcome_message_custom_text: 'x' })).toMatchObject({
      status: 400,
      body: { code: 'UNAUTHORIZED_PRINCIPAL' },
    });
    expect((await words('x'.repeat(8_001))).status).toBe(400);
    granted(await words(''));
  });
});

describe('POST /realm/test_welcome_bot_custom_message', () => {
  const tryOut = (by: Person, text?: string) =>
    by.post<{ message_id: number }>('/realm/test_welcome_bot_custom_message', {
      ...(text !== undefined && { welcome_message_custom_text: text }),
    });

  it('sends the message of administrators to the administrator who asks, and nothing else', async () => {
    const administrator = await server.person({ role: 'administrator' });
    const before = await received(administrator);
    const { message_id } = granted(await tryOut(administrator, 'Lunch is at **noon**.'));
    const [message] = (await read(administrator, [{ operator: 'is', operand: 'dm' }])).slice(-1);
    expect(message).toMatchObject({ id: message_id, sender_id: (await welcomeBot()).user_id });
    expect(message?.content).toContain('Lunch is at **noon**.');
    expect(await received(administrator)).toHaveLength(before.length + 1);
  });

  it('needs an administrator, and a text that is neither empty nor too long', async () => {
    expect(await tryOut(early, 'hi')).toMatchObject({ status: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL' } });
    expect(await tryOut(owner, ' ')).toMatchObject({ status: 400, body: { msg: 'Message must not be empty' } });
    expect(await tryOut(owner)).toMatchObject({ status: 400, body: { code: 'REQUEST_VARIABLE_MISSING' } });
    expect((await tryOut(owner, 'x'.repeat(8_001))).status).toBe(400);
  });

  it('makes the bot in an organization that has none, whatever its email and name are used for', async () => {
    const quiet = await startTestServer();
    try {
      const taken = { full_name: 'Welcome Bot', short_name: 'welcome' };
      granted(await quiet.owner.post('/bots', taken));
      const { message_id } = granted(await tryOut(quiet.owner, 'hi'));
      const { message } = granted(
        await quiet.owner.get<{ message: { sender_email: string } }>(`/messages/${message_id}`),
      );
      expect(message.sender_email).toMatch(/^welcome-bot-\d+@annals\.invalid$/);
    } finally {
      await quiet.close();
    }
  });
});
