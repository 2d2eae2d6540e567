import type { Position } from '@annals/kernel/domain';
import fc from 'fast-check';
import type { RandomAct } from '../support/acts/act';
import { channelActs } from '../support/acts/channels';
import { groupActs } from '../support/acts/groups';
import { messageActs } from '../support/acts/messages';
import { peopleActs } from '../support/acts/people';
import { profileActs } from '../support/acts/profiles';
import { realmActs } from '../support/acts/realm';
import { subscriptionActs } from '../support/acts/subscriptions';
import { World } from '../support/acts/world';
import type { Params } from '../support/server/caller';
import type { Person } from '../support/server/organization';
import type { TestServer } from '../support/server/server';
import { startTestServer } from '../support/server/server';

type Fields = Readonly<Record<string, unknown>>;
type Answer = Readonly<Record<string, unknown>>;

const acts: fc.Arbitrary<RandomAct> = fc.oneof(
  ...peopleActs,
  ...profileActs,
  ...groupActs,
  ...channelActs,
  ...subscriptionActs,
  ...messageActs,
  ...realmActs,
);

/** The activity of a channel in the past is not known. */
const UNKNOWN_THEN = ['first_message_id', 'is_recently_active', 'stream_weekly_traffic'];
/** What an account with a deleted profile has lost for ever, and what follows from an email. */
const OF_PROFILE = ['full_name', 'email', 'delivery_email', 'timezone', 'avatar_url', 'is_deleted', 'profile_data'];
const OF_EMAIL = ['email', 'delivery_email', 'avatar_url'];

const EVERYBODY = { include_custom_profile_fields: true };
const EVERY_CHANNEL = { include_all: true, exclude_archived: false, include_default: true };
const EVERY_GROUP = { include_deactivated_groups: true };

/** Everything that a viewer is answered. Null for a refusal. */
interface Seen {
  readonly users: readonly Fields[];
  readonly channels: readonly Fields[];
  readonly groups: readonly Fields[] | null;
  readonly subscribers: ReadonlyMap<number, unknown>;
  readonly channelsOf: ReadonlyMap<number, unknown>;
  readonly members: ReadonlyMap<number, unknown>;
}

/** The ids of those whose details a viewer asks for. */
interface Asked {
  readonly people: readonly number[];
  readonly channels: readonly number[];
  readonly groups: readonly number[];
}

interface Moment {
  readonly position: Position;
  readonly as_of: string;
  readonly seen: ReadonlyMap<Person, Seen>;
}

const without = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
const idOf = (fields: Fields): number => Number(fields['user_id'] ?? fields['stream_id'] ?? fields['id']);

describe('the law of the past', () => {
  let server: TestServer;
  beforeAll(async () => (server = await startTestServer()));
  afterAll(() => server.close());

  const head = async () => [...(await server.kernel.events.heads()).values()][0] as Position;

  async function look(viewer: Person, { people, channels, groups }: Asked, when: Params): Promise<Seen> {
    const ask = async (path: string, params: Params, field: string): Promise<unknown> => {
      const { status, body } = await viewer.get<Answer>(path, { ...params, ...when });
      expect(status).toBeLessThan(500);
      return status === 200 ? body[field] : null;
    };
    const each = async (ids: readonly number[], path: (id: number) => string, field: string) => {
      const answers = new Map<number, unknown>();
      for (const id of ids) answers.set(id, await ask(path(id), {}, field));
      return answers;
    };
    return {
      users: (await ask('/users', EVERYBODY, 'members')) as Fields[],
      channels: (await ask('/streams', EVERY_CHANNEL, 'streams')) as Fields[],
      groups: (await ask('/user_groups', EVERY_GROUP, 'user_groups')) as Fields[] | null,
      subscribers: await each(channels, (id) => `/streams/${id}/members`, 'subscribers'),
      channelsOf: await each(people, (id) => `/users/${id}/channels`, 'subscribed_channel_ids'),
      members: await each(groups, (id) => `/user_groups/${id}/members`, 'members'),
    };
  }

  const askedOf = (world: World): Asked => ({
    people: [...world.viewers.slice(2, 4).map(({ id }) => id), ...world.others.slice(-2)],
    channels: world.channels.slice(-3),
    groups: [...world.groups.slice(-3), ...world.systemGroups.slice(3, 5)],
  });

  /** A moment, unless something happens during it. */
  async function moment(world: World): Promise<Moment | null> {
    const position = await head();
    const seen = new Map<Person, Seen>();
    for (const viewer of [world.owner, ...world.viewers]) {
      seen.set(viewer, await look(viewer, askedOf(world), {}));
    }
    const as_of = new Date(server.clock.now()).toISOString();
    const isStill = (await head()) === position;
    server.clock.advance(1_000);
    return isStill ? { position, as_of, seen } : null;
  }

  /** What is expected of the past: what was answered then, of what is answered today. */
  function compare(then: Seen, past: Seen, now: Seen): void {
    const usersNow = new Map(now.users.map((user) => [idOf(user), user]));
    const channelsNow = new Set(now.channels.map(idOf));
    const both = then.users.filter((user) => usersNow.has(idOf(user)));
    expect(past.users.map(idOf)).toEqual(both.map(idOf));
    for (const [n, user] of both.entries()) {
      const [shown = {}, today = {}] = [past.users[n], usersNow.get(idOf(user))];
      const isHidden = user['delivery_email'] !== null && today['delivery_email'] === null;
      const lost = today['is_deleted'] ? OF_PROFILE : isHidden ? OF_EMAIL : [];
      expect(without(shown, lost)).toEqual(without(user, lost));
      if (today['is_deleted']) expect(shown['full_name']).toBe(today['full_name']);
      if (lost.length > 0) expect(shown['delivery_email']).toBe(today['delivery_email']);
    }
    const channels = then.channels.filter((channel) => channelsNow.has(idOf(channel)));
    const told = (list: readonly Fields[]) => list.map((channel) => without(channel, UNKNOWN_THEN));
    expect(told(past.channels)).toEqual(told(channels));
    if (now.groups !== null) expect(past.groups).toEqual(then.groups ?? []);
    for (const [id, subscribers] of then.subscribers) {
      expect(past.subscribers.get(id)).toEqual(channelsNow.has(id) ? subscribers : null);
    }
    for (const [id, ids] of then.channelsOf) {
      const seen = (ids as number[] | null)?.filter((channel) => channelsNow.has(channel)) ?? null;
      expect(past.channelsOf.get(id)).toEqual(usersNow.has(id) ? seen : null);
    }
    if (now.groups !== null) for (const [id, members] of then.members) expect(past.members.get(id)).toEqual(members);
  }

  it('what was answered at a moment is answered of it later, of what the viewer may see today', async () => {
    const world = await World.gather(server);
    let compared = 0;
    const property = fc.asyncProperty(fc.array(acts, { minLength: 10, maxLength: 24 }), async (history) => {
      const { people } = askedOf(world);
      const moments: Moment[] = [];
      for (const [n, one] of history.entries()) {
        if (n % 6 === 0) moments.push(...[await moment(world)].filter((found) => found !== null));
        await one.run(world);
      }
      for (const viewer of [world.owner, ...world.viewers]) {
        const now = await look(viewer, { ...askedOf(world), people: [] }, {});
        for (const { position, as_of, seen } of moments) {
          const then = seen.get(viewer);
          const { body } = await viewer.get<{ as_of_position: Position }>('/streams', { as_of });
          if (!then || body.as_of_position !== position) continue;
          // Of what was asked about then: something newer may have come since.
          const asked = {
            people: [...new Set([...then.channelsOf.keys(), ...people])],
            channels: [...then.subscribers.keys()],
            groups: [...then.members.keys()],
          };
          compare(then, await look(viewer, asked, { as_of }), now);
          compared += 1;
        }
      }
    });
    await fc.assert(property, { numRuns: 4 });
    expect(compared).toBeGreaterThan(20);
  });
});
