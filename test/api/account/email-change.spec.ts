import type { RealmId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { grantTo } from '@annals/onboarding';
import { AddressChanged, userAggregate } from '@annals/users';
import type { Params } from '../../support/server/caller';
import { confirmOwnEmail } from '../../support/mail/own-email';
import { granted } from '../../support/server/caller';
import { startWithUsers } from '../../support/server/start-with-users';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let administrator: Person;
let member: Person;
let other: Person;
beforeAll(async () => ({ server, owner, administrator, member, other } = await startWithUsers()));
afterAll(() => server.close());

const bad = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } };
let made = 0;
const fresh = () => `new${++made}@example.com`;
/** A user who logs in by the placeholder, independent of their email. */
const person = async (input: Parameters<TestServer['person']>[0] = {}) => {
  const { id, key, email } = await server.person(input);
  return { id, email, by: server.as({ email: `user${id}@annals.invalid`, key }), key };
};
const shown = async (id: number) =>
  granted(await owner.get<{ user: { delivery_email: string; full_name: string; timezone: string } }>(`/users/${id}`))
    .user;
const emailOf = async (id: number) => (await shown(id)).delivery_email;

describe('PATCH /users/{user} with new_email', () => {
  it('changes the email of a user named by id or by email, and it is the login from then on', async () => {
    const { id, email, key } = await person();
    const [first, second] = [fresh(), fresh()];
    expect(await owner.patch(`/users/${id}`, { new_email: ` ${first} ` })).toMatchObject({
      status: 200,
      body: { result: 'success', msg: '' },
    });
    expect(await emailOf(id)).toBe(first);
    granted(await owner.patch(`/users/${encodeURIComponent(first)}`, { new_email: second }));
    expect(await emailOf(id)).toBe(second);
    expect((await server.as({ email: second, key }).get('/users/me')).status).toBe(200);
    for (const former of [email, first]) {
      expect(await owner.get(`/users/${former}`)).toMatchObject(bad);
      expect(await server.as({ email: former, key }).get('/users/me')).toMatchObject({
        status: 401,
        body: { code: 'INVALID_API_KEY' },
      });
    }
  });

  it('accepts an email that another account gave up', async () => {
    const [one, two] = [await person(), await person()];
    granted(await owner.patch(`/users/${one.id}`, { new_email: fresh() }));
    granted(await owner.patch(`/users/${two.id}`, { new_email: one.email.toUpperCase() }));
    expect(await owner.get(`/users/${one.email}`)).toMatchObject({ body: { user: { user_id: two.id } } });
    granted(await owner.patch(`/users/${two.id}`, { new_email: one.email }));
    expect(await emailOf(two.id)).toBe(one.email);
  });

  it('changes deactivated accounts too', async () => {
    const { id } = await person();
    granted(await owner.delete(`/users/${id}`));
    const email = fresh();
    granted(await owner.patch(`/users/${id}`, { new_email: email }));
    expect(await emailOf(id)).toBe(email);
  });

  it('is allowed to owners with the permission that an operator gives', async () => {
    const { id, email } = await person();
    const second = await server.person({ role: 'owner' });
    const input = () => ({ new_email: fresh(), full_name: 'Somebody Else' });
    for (const by of [administrator, member, second]) {
      expect(await by.patch(`/users/${id}`, input())).toMatchObject(bad);
      expect(await by.patch(`/users/${id}`, { new_email: email })).toMatchObject(bad);
    }
    await grantTo(server.kernel, 1 as RealmId, administrator.email, { canChangeUserEmails: true });
    expect(await administrator.patch(`/users/${id}`, input())).toMatchObject(bad);
    expect(await shown(id)).toMatchObject({ delivery_email: email });
    expect((await shown(id)).full_name).not.toBe('Somebody Else');
    await grantTo(server.kernel, 1 as RealmId, second.email, { canChangeUserEmails: true });
    granted(await second.patch(`/users/${id}`, input()));
    await grantTo(server.kernel, 1 as RealmId, second.email, { canChangeUserEmails: false });
    expect(await second.patch(`/users/${id}`, input())).toMatchObject(bad);
  });

  it.each<[string, () => Params]>([
    ['an address that is none', () => ({ new_email: 'nobody' })],
    ['no address', () => ({ new_email: '' })],
    ['an address that is too long', () => ({ new_email: `${'x'.repeat(60)}@${'y.'.repeat(110)}com` })],
    ['an address in use', () => ({ new_email: member.email.toUpperCase() })],
    ['an address that is thrown away', () => ({ new_email: 'lear@mailinator.com' })],
    ['an address beside a bad name', () => ({ new_email: fresh(), full_name: 'a@b' })],
    ['an address beside a bad role', () => ({ new_email: fresh(), role: 150 })],
  ])('refuses %s, and changes nothing', async (_, input) => {
    const { id } = await person();
    const before = await shown(id);
    expect(await owner.patch(`/users/${id}`, { full_name: 'Other Name', ...input() })).toMatchObject(bad);
    expect(await shown(id)).toEqual(before);
  });

  it('refuses an email outside the domains of the organization', async () => {
    const { id } = await person();
    granted(await owner.post('/realm/domains', { domain: 'annals.example', allow_subdomains: false }));
    granted(await owner.patch('/realm', { emails_restricted_to_domains: true }));
    expect(await owner.patch(`/users/${id}`, { new_email: fresh() })).toMatchObject(bad);
    granted(await owner.patch(`/users/${id}`, { new_email: 'lear@annals.example' }));
    granted(await owner.patch('/realm', { emails_restricted_to_domains: false }));
  });

  it('sends no event where the email stays the same', async () => {
    const { id, email } = await person();
    expect(await owner.receive(() => owner.patch(`/users/${id}`, { new_email: email }))).toEqual([]);
  });
});

describe('PATCH /settings with name and address', () => {
  it('changes both with one request, the address once it is confirmed', async () => {
    const { id, by } = await person();
    const email = fresh();
    expect(granted(await by.patch('/settings', { full_name: ' Lear ', email, timezone: 'Europe/London' }))).toEqual({
      result: 'success',
      msg: '',
    });
    expect(await emailOf(id)).not.toBe(email);
    await confirmOwnEmail(server, id);
    expect(await shown(id)).toMatchObject({ delivery_email: email, full_name: 'Lear', timezone: 'Europe/London' });
  });

  it.each<[string, () => Params]>([
    ['an address that is none', () => ({ email: 'nobody' })],
    ['an address in use', () => ({ email: member.email })],
    ['an address that is thrown away', () => ({ email: 'lear@mailinator.com' })],
    ['a bad name', () => ({ full_name: 'a@b' })],
    ['no name', () => ({ full_name: ' ' })],
    ['a time zone that is none', () => ({ timezone: 'Mars/Phobos' })],
    ['an unknown value of a setting', () => ({ email_address_visibility: 9 })],
  ])('refuses %s, and changes nothing', async (_, input) => {
    const { id, by } = await person();
    const before = await shown(id);
    const all = { full_name: 'Lear', email: fresh(), timezone: 'UTC', ...input() };
    expect(await by.patch('/settings', all)).toMatchObject(bad);
    expect(await shown(id)).toEqual(before);
  });

  it('is restricted to administrators where the organization says so', async () => {
    const { id, by } = await person();
    granted(await owner.patch('/realm', { name_changes_disabled: true, email_changes_disabled: true }));
    const before = await shown(id);
    for (const input of [{ full_name: 'Goneril' }, { email: fresh() }]) {
      expect(await by.patch('/settings', input)).toMatchObject(bad);
    }
    granted(await by.patch('/settings', { full_name: before.full_name, email: before.delivery_email }));
    expect(await shown(id)).toEqual(before);
    const chief = await person({ role: 'administrator' });
    granted(await chief.by.patch('/settings', { full_name: 'Regan', email: fresh() }));
    granted(await owner.patch(`/users/${id}`, { full_name: 'Goneril' }));
    granted(await owner.patch('/realm', { name_changes_disabled: false, email_changes_disabled: false }));
    granted(await by.patch('/settings', { full_name: 'Edgar', email: fresh() }));
    expect((await shown(id)).full_name).toBe('Edgar');
  });

  it('allows the change of these settings to administrators only', async () => {
    for (const name of ['name_changes_disabled', 'email_changes_disabled']) {
      expect(await other.patch('/realm', { [name]: true })).toMatchObject({
        status: 400,
        body: { code: 'UNAUTHORIZED_PRINCIPAL' },
      });
      granted(await administrator.patch('/realm', { [name]: false }));
    }
  });

  it('does not change emails of bots', async () => {
    const bot = await server.bot(owner);
    expect(await bot.patch('/settings', { email: fresh() })).toMatchObject(bad);
    expect(await emailOf(bot.id)).toBe(bot.email);
  });

  it('requires unique names where the organization does', async () => {
    const { by } = await person({ name: 'Kent' });
    granted(await owner.patch('/realm', { require_unique_names: true }));
    expect(await by.patch('/settings', { full_name: 'mia' })).toMatchObject(bad);
    granted(await by.patch('/settings', { full_name: 'KENT' }));
    granted(await owner.patch('/realm', { require_unique_names: false }));
  });
});

describe('a placeholder email', () => {
  let hidden: Person;
  beforeAll(async () => {
    hidden = await server.person();
    granted(await hidden.patch('/settings', { email_address_visibility: 4 }));
  });

  it.each<[string, () => string]>([
    ['of somebody else', () => `user${hidden.id}@annals.invalid`],
    ['in capitals', () => `USER${hidden.id}@Annals.Invalid`],
    ['of nobody yet', () => 'user123456@annals.invalid'],
    ['with zeros before its id', () => `user000${hidden.id}@annals.invalid`],
    ['that was erased', () => `user${hidden.id}@erased.invalid`],
  ])('%s is nobody’s own', async (_, address) => {
    const { id, email, by } = await person();
    const account = { email: address(), full_name: 'Pretender', password: 'a very good one' };
    expect(await by.patch('/settings', { email: address() })).toMatchObject(bad);
    expect(await owner.patch(`/users/${id}`, { new_email: address() })).toMatchObject(bad);
    expect(await owner.post('/users', account)).toMatchObject(bad);
    expect(await emailOf(id)).toBe(email);
  });

  it('names its account, even where another account has it as its real email', async () => {
    const pretender = await person();
    const address = `user${hidden.id}@annals.invalid`;
    const origin = { client: 'spec', correlation: '00000000-0000-4000-8000-000000000001', address: null };
    await server.kernel.work.run({ realmId: 1 as RealmId, userId: null, origin }, async (work) => {
      await work.decide(userAggregate, pretender.id, () => [
        fact(AddressChanged, { userId: pretender.id }, { email: address }),
      ]);
    });
    expect(await member.get(`/users/${address}`)).toMatchObject({ body: { user: { user_id: hidden.id } } });
    const content = { type: 'direct', to: [address], content: 'for your eyes only' };
    const { id } = granted(await member.post<{ id: number }>('/messages', content));
    expect((await hidden.get(`/messages/${id}`)).status).toBe(200);
    expect(await pretender.by.get(`/messages/${id}`)).toMatchObject(bad);
  });
});
