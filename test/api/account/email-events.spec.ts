import type { Params, Registered, WireEvent } from '../../support/server/caller';
import { changeOwnEmail } from '../../support/mail/own-email';
import { granted } from '../../support/server/caller';
import { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const ROLES = ['owner', 'administrator', 'moderator', 'member', 'guest'] as const;
type RoleName = (typeof ROLES)[number];
/** How many of the roles see an address, by its visibility. */
const SEEN_BY: Readonly<Record<number, number>> = { 1: 5, 2: 4, 5: 3, 3: 2, 4: 0 };
const VISIBILITIES = [1, 2, 5, 3, 4];

let server: TestServer;
let target: Person;
let viewers: Record<RoleName, Person>;
let placeholder: string;
beforeAll(async () => {
  server = await startTestServer();
  const { id, key, email, password } = await server.person({ name: 'Lear' });
  placeholder = `user${id}@annals.invalid`;
  const login = new Person(server, server.url, id, placeholder, key, password);
  target = Object.assign(login, { email });
  viewers = { owner: server.owner } as typeof viewers;
  for (const role of ROLES.slice(1)) viewers[role] = await server.person({ role });
});
afterAll(() => server.close());

const choose = async (by: number) => granted(await target.patch('/settings', { email_address_visibility: by }));
const persons = (events: readonly WireEvent[]) => events.map(({ op, person }) => ({ op, ...(person as object) }));
const gravatar = { avatar_url: expect.stringContaining('https://secure.gravatar.com/') as string, avatar_source: 'G' };
const expectedEvents = (email: string, delivery: string | null, isPlaceholderChanged = true) => [
  { op: 'update', user_id: target.id, delivery_email: delivery },
  ...(isPlaceholderChanged ? [{ op: 'update', user_id: target.id, new_email: email }] : []),
  { op: 'update', user_id: target.id, ...gravatar },
];
/** The events of an act for clients of each role and for those of the account itself. */
async function received(act: () => Promise<unknown>, types = ['realm_user']) {
  const people = [...ROLES.map((role) => viewers[role]), target];
  const queues = await Promise.all(people.map((by) => by.register({ event_types: types, fetch_event_types: [] })));
  await act();
  return Promise.all(people.map((by, n) => by.events(queues[n] as Registered)));
}

describe.each(VISIBILITIES)('a change of email visibility, from %d', (from) => {
  it.each(VISIBILITIES)('to %d, is sent to users who lose or gain access to the email', async (to) => {
    await choose(from);
    const events = await received(() => choose(to));
    const [before = 0, after = 0] = [SEEN_BY[from], SEEN_BY[to]];
    ROLES.forEach((_, rank) => {
      const [saw, sees] = [rank < before, rank < after];
      const expected =
        saw === sees ? [] : sees ? expectedEvents(target.email, target.email) : expectedEvents(placeholder, null);
      expect(persons(events[rank] ?? [])).toMatchObject(expected);
      expect(events[rank]).toHaveLength(expected.length);
    });
    expect(events.at(-1)).toEqual([]);
  });
});

describe.each(VISIBILITIES)('another email with visibility %d', (visibility) => {
  it.each<[string, (email: string) => Promise<unknown>]>([
    ['by its owner', (email) => changeOwnEmail(server, target, target.id, email)],
    ['by an owner', async (email) => granted(await server.owner.patch(`/users/${target.id}`, { new_email: email }))],
  ])('is sent to users who see it, when it is given %s', async (way, give) => {
    await choose(visibility);
    const email = `lear${visibility}.${way.length}@example.com`;
    const events = await received(() => give(email));
    Object.assign(target, { email });
    ROLES.forEach((_, rank) => {
      const expected = rank < (SEEN_BY[visibility] ?? 0) ? expectedEvents(email, email) : [];
      expect(persons(events[rank] ?? [])).toMatchObject(expected);
      expect(events[rank]).toHaveLength(expected.length);
    });
    expect(persons(events.at(-1) ?? [])).toMatchObject(expectedEvents(email, email));
  });
});

describe('a late delivery', () => {
  it('shows the email of that position, to users who could see it then', async () => {
    await choose(1);
    const { guest } = viewers;
    const queue = await guest.register({ event_types: ['message', 'realm_user'], fetch_event_types: [] });
    const former = target.email;
    const say = () => target.post('/messages', { type: 'direct', to: [guest.id], content: 'Howl' });
    granted(await say());
    await choose(4);
    await changeOwnEmail(server, target, target.id, 'secret@example.com');
    granted(await say());
    const events = await guest.events(queue);
    const senders = events.flatMap(({ message }) => (message ? (message as Params)['sender_email'] : []));
    expect(senders).toEqual([former, placeholder]);
    expect(JSON.stringify(events)).not.toContain('secret@example.com');
    Object.assign(target, { email: 'secret@example.com' });
    await choose(1);
    expect(JSON.stringify(await guest.events(queue, events.at(-1)?.id))).toContain('secret@example.com');
  });

  it('shows new users with the default settings of the organization', async () => {
    granted(await server.owner.patch('/realm/user_settings_defaults', { email_address_visibility: 3 }));
    const events = await received(() => server.person({ name: 'Cordelia' }));
    granted(await server.owner.patch('/realm/user_settings_defaults', { email_address_visibility: 1 }));
    ROLES.forEach((_, rank) => {
      const [added] = persons((events[rank] ?? []).filter(({ op }) => op === 'add')) as Params[];
      expect(added?.['delivery_email'] === null).toBe(rank >= 2);
      expect(JSON.stringify(events[rank]).includes('@example.com')).toBe(rank < 2);
    });
  });
});

describe('another role', () => {
  it('shows and hides emails', async () => {
    await choose(3);
    const climber = await server.person({ name: 'Edmund' });
    const act = (role: number) => async () => granted(await server.owner.patch(`/users/${climber.id}`, { role }));
    const about = (events: readonly WireEvent[]) =>
      persons(events).filter((one) => (one as { user_id?: number }).user_id === target.id);
    const risen = await climber.receive(act(200), 'realm_user');
    expect(about(risen)).toMatchObject(expectedEvents(target.email, target.email));
    expect(about(await climber.receive(act(300), 'realm_user'))).toMatchObject(expectedEvents(placeholder, null));
    expect(about(await climber.receive(act(400), 'realm_user'))).toEqual([]);
    await choose(1);
    expect(about(await climber.receive(act(600), 'realm_user'))).toEqual([]);
  });
});

describe('a time zone', () => {
  it('is sent to all users with the email that they see, and to the own clients as a setting', async () => {
    await choose(3);
    const events = await received(
      async () => granted(await target.patch('/settings', { timezone: 'Asia/Kolkata' })),
      ['realm_user', 'user_settings'],
    );
    ROLES.forEach((_, rank) => {
      const email = rank < 2 ? target.email : placeholder;
      expect(persons(events[rank] ?? [])).toEqual([
        { op: 'update', user_id: target.id, email, timezone: 'Asia/Kolkata' },
      ]);
    });
    expect(events.at(-1)).toMatchObject([
      { type: 'user_settings', op: 'update', property: 'timezone', value: 'Asia/Kolkata' },
      { type: 'realm_user', person: { user_id: target.id, email: target.email, timezone: 'Asia/Kolkata' } },
    ]);
    const own = await target.register({ fetch_event_types: ['user_settings', 'realm_user'] });
    expect(own['user_settings']).toMatchObject({ timezone: 'Asia/Kolkata' });
    expect(granted(await target.get('/users/me'))).toMatchObject({ timezone: 'Asia/Kolkata' });
    expect(granted(await target.patch('/settings', { timezone: '"Asia/Kolkata"' }))).toEqual({
      result: 'success',
      msg: '',
    });
  });
});
