import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
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
afterEach(async () => {
  for (const { domain } of await listed()) await remove(domain);
});

const ok = { status: 200, body: { result: 'success', msg: '' } };
const refused = (code = 'BAD_REQUEST') => ({ status: 400, body: { result: 'error', code } });
const plain = ({ status, body }: { status: number; body: object }) => ({ status, body });
const listed = async (by = owner) =>
  granted(await by.get<{ domains: { domain: string; allow_subdomains: boolean }[] }>('/realm/domains')).domains;
const add = (domain: string, allow_subdomains = false, by = owner) =>
  by.post<{ new_domain: [number, string] }>('/realm/domains', { domain, allow_subdomains });
const change = (domain: string, params: Params, by = owner) => by.patch(`/realm/domains/${domain}`, params);
const remove = (domain: string, by = owner) => by.delete(`/realm/domains/${domain}`);
const event = (fields: object) => ({ id: expect.any(Number) as number, type: 'realm_domains', ...fields });

describe('GET /realm/domains', () => {
  it('shows the list to all users, as POST /register does', async () => {
    expect(await listed(guest)).toEqual([]);
    await add('zoo.example');
    await add('farm.example', true);
    const domains = [
      { domain: 'zoo.example', allow_subdomains: false },
      { domain: 'farm.example', allow_subdomains: true },
    ];
    const bot = await server.bot(member);
    for (const person of [owner, member, guest, bot]) {
      expect(await listed(person)).toEqual(domains);
      const { realm_domains } = await person.register({ fetch_event_types: ['realm_domains'] });
      expect(realm_domains).toEqual(domains);
    }
    expect(await server.anonymous.get('/realm/domains')).toMatchObject({ status: 401 });
  });
});

describe('POST /realm/domains', () => {
  it('adds one, with an event for all', async () => {
    const received = await guest.receive(async () => {
      const { status, body } = await add(' Zoo.Example', true);
      expect({ status, body }).toEqual({ status: 200, body: { ...ok.body, new_domain: body.new_domain } });
      expect(body.new_domain).toEqual([expect.any(Number), 'zoo.example']);
    }, 'realm_domains');
    expect(received).toEqual([event({ op: 'add', realm_domain: { domain: 'zoo.example', allow_subdomains: true } })]);
  });

  it.each([
    '',
    '  ',
    'nodot',
    '.zoo.example',
    'zoo.example.',
    'zoo..example',
    '-zoo.example',
    'zoo-.example',
    'zo o.x',
  ])('refuses %j', async (domain) => {
    expect(await add(domain)).toMatchObject(refused());
    expect(await listed()).toEqual([]);
  });

  it('refuses duplicates, long domains and invalid booleans', async () => {
    granted(await add('zoo.example'));
    expect(await add('ZOO.example', true)).toMatchObject(refused());
    expect(await add(`${'x'.repeat(252)}.com`)).toMatchObject(refused());
    expect(await owner.post('/realm/domains', { domain: 'a.example', allow_subdomains: 'yes' })).toMatchObject(
      refused(),
    );
    expect(await listed()).toEqual([{ domain: 'zoo.example', allow_subdomains: false }]);
  });

  it.each(['domain', 'allow_subdomains'])('requires %s', async (name) => {
    const { body } = await owner.post('/realm/domains', {
      domain: 'zoo.example',
      allow_subdomains: true,
      [name]: undefined,
    });
    expect(body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: name });
  });

  it('is allowed to owners only, as all changes are', async () => {
    granted(await add('zoo.example'));
    for (const person of [administrator, member, guest]) {
      expect(await add('sea.example', true, person)).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
      expect(await change('zoo.example', { allow_subdomains: true }, person)).toMatchObject(
        refused('UNAUTHORIZED_PRINCIPAL'),
      );
      expect(await remove('zoo.example', person)).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
    }
    expect(await listed()).toEqual([{ domain: 'zoo.example', allow_subdomains: false }]);
  });
});

describe('PATCH /realm/domains/{domain}', () => {
  it('changes the subdomain option, with an event for all even when nothing changes', async () => {
    granted(await add('zoo.example'));
    const received = await member.receive(async () => {
      for (const allow_subdomains of [true, true, false]) {
        expect(plain(await change('ZOO.example', { allow_subdomains }))).toEqual(ok);
        expect(await listed()).toEqual([{ domain: 'zoo.example', allow_subdomains }]);
      }
    }, 'realm_domains');
    const changed = (allow_subdomains: boolean) =>
      event({ op: 'change', realm_domain: { domain: 'zoo.example', allow_subdomains } });
    expect(received).toEqual([changed(true), changed(true), changed(false)]);
  });

  it('requires a known domain and a boolean', async () => {
    granted(await add('zoo.example'));
    expect(await change('sea.example', { allow_subdomains: true })).toMatchObject(refused());
    expect(await change('zoo.example', { allow_subdomains: 1 })).toMatchObject(refused());
    const { body } = await change('zoo.example', {});
    expect(body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'allow_subdomains' });
  });
});

describe('DELETE /realm/domains/{domain}', () => {
  it('removes it, with an event for all', async () => {
    granted(await add('zoo.example'));
    granted(await add('farm.example'));
    const received = await member.receive(async () => {
      expect(plain(await remove('zoo.example'))).toEqual(ok);
    });
    expect(received).toEqual([event({ op: 'remove', domain: 'zoo.example' })]);
    expect(await listed()).toEqual([{ domain: 'farm.example', allow_subdomains: false }]);
    expect(await remove('zoo.example')).toMatchObject(refused());
    granted(await add('zoo.example'));
  });

  it('ends the restriction with the last domain', async () => {
    granted(await add('zoo.example'));
    granted(await add('farm.example'));
    granted(await owner.patch('/realm', { emails_restricted_to_domains: true }));
    granted(await remove('farm.example'));
    const restricted = async () =>
      (await member.register({ fetch_event_types: ['realm'] }))['realm_emails_restricted_to_domains'];
    expect(await restricted()).toBe(true);
    const received = await guest.receive(() => remove('zoo.example'));
    expect(received).toEqual([
      event({ type: 'realm', op: 'update', property: 'emails_restricted_to_domains', value: false }),
      event({ op: 'remove', domain: 'zoo.example' }),
    ]);
    expect(await restricted()).toBe(false);
  });
});

describe('emails_restricted_to_domains', () => {
  let made = 0;
  const create = (email: string) =>
    owner.post('/users', { email, password: 'a very good one', full_name: `New Comer ${++made}` });

  it('is changed by owners', async () => {
    const restrict = (by: Person) => by.patch('/realm', { emails_restricted_to_domains: true });
    for (const person of [administrator, member]) {
      expect(await restrict(person)).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
    }
    const received = await member.receive(() => restrict(owner), 'realm');
    expect(received).toMatchObject([{ op: 'update_dict', data: { emails_restricted_to_domains: true } }]);
    expect(await create('ann@zoo.example')).toMatchObject(refused());
    granted(await owner.patch('/realm', { emails_restricted_to_domains: false }));
  });

  it('accepts emails of the listed domains only, without a plus', async () => {
    granted(await add('zoo.example'));
    granted(await add('farm.example', true));
    granted(await add('mailinator.com'));
    granted(await create('a+b@zoo.example'));
    granted(await owner.patch('/realm', { emails_restricted_to_domains: true }));
    for (const email of ['a@sea.example', 'a@lions.zoo.example', 'a@myfarm.example', 'a+1@zoo.example']) {
      expect(await create(email)).toMatchObject(refused());
    }
    for (const email of ['a@Zoo.example', 'a@farm.example', 'a@old.barn.farm.example', 'a@mailinator.com']) {
      expect(await create(email)).toMatchObject(ok);
    }
    granted(await change('zoo.example', { allow_subdomains: true }));
    expect(await create('a@lions.zoo.example')).toMatchObject(ok);
    granted(await remove('zoo.example'));
    expect(await create('b@zoo.example')).toMatchObject(refused());
    granted(await owner.patch('/realm', { emails_restricted_to_domains: false }));
    expect(await create('b@zoo.example')).toMatchObject(ok);
  });

  it('does not apply to bots', async () => {
    granted(await add('zoo.example'));
    granted(await owner.patch('/realm', { emails_restricted_to_domains: true }));
    granted(await member.post('/bots', { full_name: 'Helper', short_name: 'helper', bot_type: 1 }));
  });
});
