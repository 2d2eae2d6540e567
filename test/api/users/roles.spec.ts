import { Role } from '@annals/kernel/domain';
import { startWithUsers } from '../../support/server/start-with-users';
import type { WireEvent } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';

type RoleName = keyof typeof Role;
const ROLE_NAMES = Object.keys(Role) as RoleName[];
const GROUP = {
  owner: 'owners',
  administrator: 'administrators',
  moderator: 'moderators',
  member: 'members',
  guest: 'everyone',
} as const;

let server: TestServer;
let owner: Person;
let administrator: Person;
let member: Person;
let other: Person;
let guest: Person;
let groups: Readonly<Record<string, number>>;
beforeAll(async () => ({ server, owner, administrator, member, other, guest, groups } = await startWithUsers()));
afterAll(() => server.close());

const ok = { status: 200, body: { result: 'success', msg: '' } };
const refused = (code: string) => ({ status: 400, body: { result: 'error', code } });
const change = (by: Person, { id }: Person, role: RoleName) => by.patch(`/users/${id}`, { role: Role[role] });
const roleOf = async ({ id }: Person) => granted(await owner.get<{ user: { role: number } }>(`/users/${id}`)).user.role;
/** An account that got a role step by step, because guests cannot become administrators at once. */
const somebody = (role: RoleName) => server.person({ role });

const received = (events: readonly WireEvent[]) => events.map(({ id: _, ...event }) => event);
const role = (person: Person, name: RoleName) => ({
  type: 'realm_user',
  op: 'update',
  person: { user_id: person.id, role: Role[name] },
});
const group = (op: 'add_members' | 'remove_members', name: string, person: Person) => ({
  type: 'user_group',
  op,
  group_id: groups[name],
  user_ids: [person.id],
});
/** The events of system groups; without a waiting period a member is a full member at once. */
function membershipEvents(person: Person, from: RoleName, to: RoleName, isFull = true) {
  const turned = (op: 'add_members' | 'remove_members') => (isFull ? [group(op, 'fullmembers', person)] : []);
  return [
    group('remove_members', GROUP[from], person),
    group('add_members', GROUP[to], person),
    ...(from === 'member' ? turned('remove_members') : []),
    ...(to === 'member' ? turned('add_members') : []),
  ];
}
const fromGuest = (to: RoleName) => to === 'administrator' || to === 'owner';

describe('another role', () => {
  const pairs = ROLE_NAMES.flatMap((from) =>
    ROLE_NAMES.filter((to) => to !== from && !(from === 'guest' && fromGuest(to))).map((to) => [from, to] as const),
  );
  it.each(pairs)(
    'from %s to %s is sent to all, then the groups of the roles, then those of full members',
    async (from, to) => {
      const person = await somebody(from);
      const events = await member.receive(async () => expect(await change(owner, person, to)).toMatchObject(ok));
      expect(received(events)).toEqual([role(person, to), ...membershipEvents(person, from, to)]);
    },
  );

  it('does not affect users who still wait to become full members', async () => {
    const person = await somebody('member');
    granted(await owner.patch('/realm', { waiting_period_threshold: 10 }));
    const events = await member.receive(async () => {
      granted(await change(owner, person, 'moderator'));
      granted(await change(owner, person, 'member'));
    });
    expect(received(events)).toEqual([
      role(person, 'moderator'),
      ...membershipEvents(person, 'member', 'moderator', false),
      role(person, 'member'),
      ...membershipEvents(person, 'moderator', 'member', false),
    ]);
    granted(await owner.patch('/realm', { waiting_period_threshold: 0 }));
  });

  it('of a deactivated user is sent without groups, and applies on reactivation', async () => {
    const person = await somebody('member');
    granted(await owner.delete(`/users/${person.id}`));
    const events = await member.receive(() => change(owner, person, 'moderator'));
    expect(received(events)).toEqual([role(person, 'moderator')]);
    const back = await member.receive(() => owner.post(`/users/${person.id}/reactivate`), 'user_group');
    expect(received(back)).toEqual([group('add_members', 'moderators', person)]);
  });
});

describe('a user with a new role', () => {
  const general = async () =>
    granted(await owner.get<{ streams: { stream_id: number }[] }>('/streams')).streams.map(
      ({ stream_id }) => stream_id,
    );
  const channelEvents = ({ type, op }: WireEvent) =>
    type === 'stream' || (type === 'subscription' && op?.startsWith('peer')) || type === 'default_streams';
  const short = (events: readonly WireEvent[]) =>
    events.filter(channelEvents).map((event) => {
      const streams = event['streams'] as { stream_id: number }[] | undefined;
      const ids = streams?.map(({ stream_id }) => stream_id) ?? (event['stream_ids'] as number[] | undefined);
      return [`${event.type}/${event.op ?? ''}`, ids ?? event['default_streams']];
    });

  it('receives it and the groups first, then the channels that are hidden', async () => {
    const person = await somebody('member');
    const [kept, left] = [await server.channel(owner, { subscribers: [owner, person] }), await server.channel(owner)];
    const events = await person.receive(() => change(owner, person, 'guest'));
    expect(received(events).slice(0, 4)).toEqual([
      role(person, 'guest'),
      ...membershipEvents(person, 'member', 'guest'),
    ]);
    const lost = short(events).find(([what]) => what === 'stream/delete')?.[1] as number[];
    expect(lost).toContain(left);
    expect(lost).not.toContain(kept);
    expect(short(events).map(([what]) => what)).toEqual(['stream/delete', 'default_streams/']);
    expect((await person.get(`/streams/${left}`)).status).toBe(400);
  });

  it('receives newly visible channels, with their subscribers', async () => {
    const person = await somebody('guest');
    const seen = new Set(
      granted(await person.get<{ streams: { stream_id: number }[] }>('/streams')).streams.map(
        ({ stream_id }) => stream_id,
      ),
    );
    const gained = (await general()).filter((id) => !seen.has(id));
    const events = await person.receive(() => change(owner, person, 'member'));
    expect(received(events).slice(0, 4)).toEqual([
      role(person, 'member'),
      ...membershipEvents(person, 'guest', 'member'),
    ]);
    const [created, ...rest] = short(events);
    expect(created?.[0]).toBe('stream/create');
    expect(created?.[1]).toEqual(expect.arrayContaining(gained));
    expect(rest.slice(0, -1).map(([what]) => what)).toEqual(gained.map(() => 'subscription/peer_add'));
    expect(rest.at(-1)?.[0]).toBe('default_streams/');
    const owners = events.find(
      (event) => event.op === 'peer_add' && (event['stream_ids'] as number[])[0] === gained.at(-1),
    );
    expect(owners).toMatchObject({ user_ids: expect.arrayContaining([owner.id]) as number[] });
  });

  it('sees private channels and all bots as an administrator, and only their own afterwards', async () => {
    const person = await somebody('member');
    const secret = await server.channel(owner, { invite_only: true });
    const [theirs, foreign] = [await server.bot(person), await server.bot(other)];
    const up = await person.receive(() => change(owner, person, 'administrator'));
    expect(short(up)).toEqual([
      ['stream/create', [secret]],
      ['subscription/peer_add', [secret]],
    ]);
    const bots = (events: readonly WireEvent[], op: string) =>
      events
        .filter((event) => event.type === 'realm_bot' && event.op === op)
        .map(({ bot }) => (bot as { user_id: number }).user_id);
    expect(bots(up, 'add')).toContain(foreign.id);
    expect(bots(up, 'add')).not.toContain(theirs.id);
    expect((await person.get(`/streams/${secret}`)).status).toBe(200);
    const down = await person.receive(() => change(owner, person, 'moderator'));
    expect(short(down)).toEqual([['stream/delete', [secret]]]);
    expect(bots(down, 'delete')).toEqual(bots(up, 'add'));
    expect((await person.get(`/streams/${secret}`)).status).toBe(400);
  });

  it('keeps seeing a private channel that a group of theirs may join, as long as they are a member', async () => {
    const person = await somebody('moderator');
    const open = { invite_only: true, history_public_to_subscribers: true };
    const channel = await server.channel(owner, { ...open, can_subscribe_group: groups['moderators'] });
    expect(short(await person.receive(() => change(owner, person, 'administrator')))).not.toContainEqual([
      'stream/create',
      [channel],
    ]);
    const down = short(await person.receive(() => change(owner, person, 'member')));
    expect(down.at(-1)?.[0]).toBe('stream/delete');
    expect(down.at(-1)?.[1]).toContain(channel);
  });
});

describe('permission to change roles', () => {
  it.each(ROLE_NAMES.flatMap((from) => ROLE_NAMES.filter((to) => to !== from).map((to) => [from, to] as const)))(
    'from %s to %s',
    async (from, to) => {
      const person = await somebody(from);
      const ofOwners = from === 'owner' || to === 'owner';
      const never = from === 'guest' && fromGuest(to);
      const no = never ? refused('BAD_REQUEST') : refused('UNAUTHORIZED_PRINCIPAL');
      for (const by of [member, guest]) expect(await change(by, person, to)).toMatchObject(refused('BAD_REQUEST'));
      expect(await change(administrator, person, to)).toMatchObject(ofOwners || never ? no : ok);
      expect(await roleOf(person)).toBe(ofOwners || never ? Role[from] : Role[to]);
      if (!ofOwners && !never) return;
      expect(await change(owner, person, to)).toMatchObject(never ? no : ok);
      expect(await roleOf(person)).toBe(never ? Role[from] : Role[to]);
    },
  );

  it('includes the own role for administrators only', async () => {
    for (const name of ['moderator', 'member', 'guest'] as const) {
      const person = await somebody(name);
      for (const to of ROLE_NAMES) expect(await change(person, person, to)).toMatchObject(refused('BAD_REQUEST'));
    }
    const resigning = await somebody('administrator');
    expect(await change(resigning, resigning, 'member')).toMatchObject(ok);
    expect(await change(resigning, resigning, 'administrator')).toMatchObject(refused('BAD_REQUEST'));
  });
});
