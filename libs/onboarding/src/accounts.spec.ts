import type { Actor, Recorded, UserId } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import { ActorReader } from '@annals/groups';
import { ChangeSettings } from '@annals/realm';
import { CreateBot, DeactivateBot, DeactivateUser, GetUser, LogIn, UpdateUser } from '@annals/users';
import { CreateUser } from './application/create-user';
import type { Organization, Process } from './spec-support/organization';
import { ADDRESS, OWNER_KEY, openOrganization } from './spec-support/organization';

const ORIGIN = { client: 'test', correlation: '00000000-0000-4000-8000-000000000002', address: null };
const PASSWORD = 'battery staple';
const HOST = new URL(ADDRESS).hostname;
const DAY = 24 * 60 * 60 * 1000;

const types = (events: readonly Recorded[]) => events.map(({ type }) => type);
const refusals = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
  outcomes.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code: string }).code] : []));

let organization: Organization;
let owner: Actor;
let made = 0;
beforeAll(async () => {
  organization = await openOrganization();
  owner = await organization.actor(organization.owner);
});
afterAll(() => organization.close());

const emailOf = (n: number) => `person${n}@example.com`;
async function person(
  requested: { email?: string; fullName?: string } = {},
  by: Process = organization,
): Promise<UserId> {
  made += 1;
  const input = { email: emailOf(made), fullName: `Person ${made}`, password: PASSWORD, ...requested };
  const creator = await by.actor(organization.owner);
  return by.execute(new CreateUser(creator, input));
}
const promote = async (userId: UserId, role: Role) =>
  organization.execute(new UpdateUser(await organization.actor(organization.owner), userId, { role }));
const logIn = (username: string, password = PASSWORD, on: Process = organization) =>
  on.execute(new LogIn(organization.realmId, username, password, ORIGIN));
const authenticate = (username: string, key: string, on: Process = organization) =>
  on.get(ActorReader).authenticate({ host: HOST, username, password: key, origin: ORIGIN });
const change = async (settings: object) =>
  organization.execute(new ChangeSettings(owner, { settings, texts: {}, expected: {} }));
const head = async () => (await organization.log()).length;

describe('creating an account', () => {
  it('subscribes it to the default channels, in one append', async () => {
    const before = await head();
    const userId = await person();
    const events = await organization.log(before);
    expect(types(events)).toEqual(['users.AccountCreated', 'users.PasswordSet', 'channels.Subscribed']);
    expect(events[2]?.data).toMatchObject({ userIds: [userId] });
    expect(await organization.actor(userId)).toMatchObject({ role: Role.member, canCreateUsers: false });
  });

  it('needs the special permission', async () => {
    const administrator = await person();
    await promote(administrator, Role.administrator);
    const input = { email: 'new@example.com', fullName: 'New', password: PASSWORD };
    const by = await organization.actor(administrator);
    await expect(organization.execute(new CreateUser(by, input))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('refuses a used email in any letter case, an invalid name and a weak password, and changes nothing', async () => {
    await person({ email: 'Used@example.com' });
    const before = await head();
    await expect(person({ email: 'uSED@EXAMPLE.com' })).rejects.toThrow('Email is already in use');
    await expect(person({ fullName: 'a@b' })).rejects.toThrow('Invalid characters in name!');
    const weak = { email: 'weak@example.com', fullName: 'Weak', password: '12345678' };
    await expect(organization.execute(new CreateUser(owner, weak))).rejects.toThrow('too weak');
    expect(await head()).toBe(before);
  });

  it('by several processes at once claims an email once (guard email-free)', async () => {
    const other = await organization.another();
    const attempts = [organization, other, organization, other].map((by) => person({ email: 'race@example.com' }, by));
    expect(refusals(await Promise.allSettled(attempts))).toEqual(['BAD_REQUEST', 'BAD_REQUEST', 'BAD_REQUEST']);
  });

  it('by several processes at once claims a name once if names are unique (guard name-free)', async () => {
    const other = await organization.another();
    await change({ require_unique_names: true });
    const attempts = [organization, other, organization].map((by) => person({ fullName: 'Only One' }, by));
    expect(refusals(await Promise.allSettled(attempts))).toEqual(['BAD_REQUEST', 'BAD_REQUEST']);
    const somebody = await person({ fullName: 'Somebody' });
    const rename = (fullName: string) => organization.execute(new UpdateUser(owner, somebody, { fullName }));
    await expect(rename('only ONE')).rejects.toThrow('Unique names required');
    await rename('SOMEBODY');
    await change({ require_unique_names: false });
    await rename('Only One');
    expect((await organization.ask(new GetUser(owner, String(somebody)))).fullName).toBe('Only One');
  });
});

describe('logging in', () => {
  it('gives a key of its own each time, and both are valid', async () => {
    const userId = await person();
    const [first, second] = [await logIn(emailOf(made)), await logIn(emailOf(made).toUpperCase())];
    expect(first).toMatchObject({ userId, email: emailOf(made) });
    expect(first.apiKey).not.toBe(second.apiKey);
    for (const { apiKey } of [first, second]) {
      expect(await authenticate(emailOf(made), ` ${apiKey}\n`)).toMatchObject({ userId });
    }
  });

  it('counts as joining for an account that another user created', async () => {
    const userId = await person();
    const created = organization.clock.now();
    organization.clock.advance(DAY);
    await logIn(emailOf(made));
    organization.clock.advance(DAY);
    await logIn(emailOf(made));
    const user = await organization.ask(new GetUser(owner, String(userId)));
    expect(user).toMatchObject({ createdAt: created, joinedAt: created + DAY });
  });

  it('answers a wrong password and an unknown email alike, and stores nothing', async () => {
    await person();
    const email = emailOf(made);
    const before = await head();
    const wrong = { code: 'AUTHENTICATION_FAILED', message: 'Your username or password is incorrect' };
    await expect(logIn(email, 'something else')).rejects.toMatchObject(wrong);
    await expect(logIn('nobody@example.com')).rejects.toMatchObject(wrong);
    await expect(logIn(`notification-bot@${HOST}`)).rejects.toMatchObject(wrong);
    expect(await head()).toBe(before);
  });

  it('shows the right password that the account is deactivated', async () => {
    const userId = await person();
    const email = emailOf(made);
    await organization.execute(new DeactivateUser(owner, userId));
    await expect(logIn(email)).rejects.toMatchObject({ code: 'USER_DEACTIVATED' });
    await expect(logIn(email, 'something else')).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILED' });
  });

  it('ends the key that was used least recently when there are fifty', async () => {
    await person();
    const email = emailOf(made);
    const keys: string[] = [];
    for (let n = 0; n < 50; n++) {
      organization.clock.advance(1000);
      keys.push((await logIn(email)).apiKey);
    }
    organization.clock.advance(2 * 60 * 60 * 1000);
    const [first, second, third] = keys as [string, string, string];
    await authenticate(email, first);
    const used = await organization.kernel.database.pool.query(
      `SELECT FROM secrets WHERE kind = 'api-key' AND used_at = $1`,
      [organization.clock.now()],
    );
    expect(used.rowCount).toBe(1);
    const { apiKey } = await logIn(email);
    await expect(authenticate(email, second)).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
    for (const key of [first, third, apiKey]) expect(await authenticate(email, key)).toBeDefined();
  });
});

describe('authenticating', () => {
  it('accepts the key only with the email it belongs to', async () => {
    await person();
    const { apiKey } = await logIn(emailOf(made));
    await expect(authenticate('owner@example.com', apiKey)).rejects.toMatchObject({
      code: 'INVALID_API_KEY',
      message: 'Invalid API key',
    });
    await expect(authenticate('nobody@example.com', apiKey)).rejects.toMatchObject({ message: 'Invalid API key' });
    for (const malformed of ['', 'short', `${apiKey}x`, apiKey.replace(/./, '-')]) {
      await expect(authenticate(emailOf(made), malformed)).rejects.toMatchObject({
        code: 'INVALID_API_KEY',
        message: 'Malformed API key',
      });
    }
  });

  it('distinguishes a deactivated account from a wrong key, at once and in every process', async () => {
    const other = await organization.another();
    const userId = await person();
    const email = emailOf(made);
    const { apiKey } = await logIn(email);
    expect(await authenticate(email, apiKey, other)).toMatchObject({ userId });
    await organization.execute(new DeactivateUser(owner, userId));
    for (const on of [organization, other]) {
      await expect(authenticate(email, apiKey, on)).rejects.toMatchObject({ code: 'USER_DEACTIVATED' });
      await expect(authenticate(email, 'x'.repeat(32), on)).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
    }
  });

  it('sees a new role at once in every process', async () => {
    const other = await organization.another();
    const userId = await person();
    const email = emailOf(made);
    const { apiKey } = await logIn(email);
    expect(await authenticate(email, apiKey, other)).toMatchObject({ role: Role.member });
    await promote(userId, Role.moderator);
    expect(await authenticate(email, apiKey, other)).toMatchObject({ role: Role.moderator });
  });

  it('reads nothing but the head from the database when nothing changed', async () => {
    await authenticate('owner@example.com', OWNER_KEY);
    const query = jest.spyOn(organization.kernel.database.pool, 'query');
    await authenticate('owner@example.com', OWNER_KEY);
    const asked = query.mock.calls.map(([statement]) => (statement as { name?: string }).name);
    query.mockRestore();
    expect(asked).toEqual(['log-heads']);
  });

  it('knows all groups of the account, and when a user becomes a full member', async () => {
    const { systemGroups: groups } = await organization.settings();
    const userId = await person();
    await change({ waiting_period_threshold: 2 });
    const fresh = await organization.actor(userId);
    expect(fresh.groups).toEqual(new Set([groups.members, groups.everyone, groups.internet]));
    organization.clock.advance(2 * DAY);
    expect((await organization.actor(userId)).groups).toContain(groups.fullmembers);
    await change({ waiting_period_threshold: 0 });
    await promote(userId, Role.guest);
    expect((await organization.actor(userId)).groups).toEqual(new Set([groups.everyone, groups.internet]));
  });
});

describe('bots', () => {
  const bot = (by: Actor, shortName: string) =>
    organization.execute(new CreateBot(by, { fullName: `Bot ${shortName}`, shortName, type: 1 }));

  it('get an email and a key, and belong to their creator', async () => {
    const by = await organization.actor(await person());
    const { userId, apiKey } = await bot(by, 'reminder');
    const actor = await authenticate(`reminder-bot@${HOST}`, apiKey);
    expect(actor).toMatchObject({ userId, botType: 1, botOwnerId: by.userId, role: Role.member });
    await expect(bot(owner, 'Reminder')).rejects.toThrow('Username already in use.');
  });

  it('can be created by users with the permission of the organization', async () => {
    const { systemGroups: groups } = await organization.settings();
    const by = await organization.actor(await person());
    await change({ can_create_bots_group: groups.administrators });
    await expect(bot(by, 'denied')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await change({ can_create_bots_group: groups.members });
  });

  it('lose their key when they are deactivated', async () => {
    const by = await organization.actor(await person());
    const { userId, apiKey } = await bot(by, 'short-lived');
    await expect(
      organization.execute(new DeactivateBot(await organization.actor(await person()), userId)),
    ).rejects.toThrow('Insufficient permission');
    await organization.execute(new DeactivateBot(by, userId));
    await expect(authenticate(`short-lived-bot@${HOST}`, apiKey)).rejects.toMatchObject({ code: 'USER_DEACTIVATED' });
  });

  it('are deactivated before their owner', async () => {
    const ownerOfBots = await person();
    const by = await organization.actor(ownerOfBots);
    const [first, second] = [await bot(by, 'first'), await bot(by, 'second')];
    await organization.execute(new DeactivateBot(owner, first.userId));
    const before = await head();
    await organization.execute(new DeactivateUser(owner, ownerOfBots));
    const gone = (await organization.log(before)).map(({ type, data }) => [type, (data as { userId: UserId }).userId]);
    expect(gone).toEqual([
      ['users.Deactivated', second.userId],
      ['users.Deactivated', ownerOfBots],
    ]);
  });

  it('never outlive their owner, also when two requests meet', async () => {
    for (let n = 0; n < 5; n++) {
      const leaver = await person();
      const by = await organization.actor(leaver);
      const [creation] = await Promise.allSettled([
        bot(by, `late-${n}`),
        organization.execute(new DeactivateUser(owner, leaver)),
      ]);
      if (creation.status === 'rejected') expect(creation.reason).toMatchObject({ code: 'USER_DEACTIVATED' });
      else await expect(organization.actor(creation.value.userId)).rejects.toMatchObject({ code: 'USER_DEACTIVATED' });
    }
  });
});

describe('the last owner', () => {
  it('remains, also when two owners remove each other at once in two processes (guard last-owner)', async () => {
    const other = await organization.another();
    const second = await person();
    await promote(second, Role.owner);
    const demote = async (by: Process, actor: UserId, target: UserId) =>
      by.execute(new UpdateUser(await by.actor(actor), target, { role: Role.member }));
    const outcomes = await Promise.allSettled([
      demote(organization, organization.owner, second),
      demote(other, second, organization.owner),
    ]);
    const owners = await Promise.all([organization.owner, second].map((userId) => organization.actor(userId)));
    expect(owners.filter(({ role }) => role === Role.owner)).toHaveLength(1);
    expect(refusals(outcomes)).toHaveLength(1);
  });
});
