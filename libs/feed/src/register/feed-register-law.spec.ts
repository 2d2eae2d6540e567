import type { ChannelId, RealmId, Role as RoleType, UserId } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import fc from 'fast-check';
import type { OpenedQueue, ToyFeed, ToyProcess } from '../spec-support/toy-feed';
import type { ToyFact } from '../spec-support/toy-events';
import type { WireEvent } from '../domain/flag-events';
import { arrived, departed, joined, left, opened, posted, renamed, roleChanged } from '../spec-support/toy-events';
import { as, channel, openToyFeed, user } from '../spec-support/toy-feed';

const LISTENERS = [user(1), user(2)];
const OTHERS = [user(3), user(4)];
const ROLES = [Role.administrator, Role.member, Role.guest];

/** Requests. What is not possible at its time is left out. */
type Act =
  | { kind: 'open'; isPrivate: boolean }
  | { kind: 'rename' | 'post'; channel: number; text: string }
  | { kind: 'join' | 'leave'; channel: number; user: number }
  | { kind: 'role'; user: number; role: RoleType }
  | { kind: 'depart'; user: number }
  | { kind: 'register' | 'poll'; user: number };

const someUser = fc.integer({ min: 0, max: 3 });
const someChannel = fc.integer({ min: 0, max: 4 });
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ kind: fc.constant('open' as const), isPrivate: fc.boolean() }),
  fc.record({ kind: fc.constantFrom('rename' as const, 'post' as const), channel: someChannel, text: fc.string() }),
  fc.record({ kind: fc.constantFrom('join' as const, 'leave' as const), channel: someChannel, user: someUser }),
  fc.record({ kind: fc.constant('role' as const), user: someUser, role: fc.constantFrom(...ROLES) }),
  fc.record({ kind: fc.constant('depart' as const), user: someUser }),
  fc.record({ kind: fc.constantFrom('register' as const, 'poll' as const), user: someUser }),
);

/** The objects that acts refer to. */
class World {
  readonly roles = new Map<UserId, RoleType>();
  readonly members = new Map<ChannelId, Set<UserId>>();

  fact(one: Act): ToyFact | null {
    switch (one.kind) {
      case 'open':
        return this.open(one.isPrivate);
      case 'rename':
      case 'post':
        return this.inChannel(one.channel, (id) =>
          one.kind === 'post' ? posted(id, one.text) : renamed(id, one.text),
        );
      case 'join':
      case 'leave':
        return this.inChannel(one.channel, (id) => this.move(one.kind === 'join', id, one.user));
      case 'role':
        return this.changeRole(one.user, one.role);
      case 'depart':
        return this.depart(one.user);
      case 'register':
      case 'poll':
        return null;
    }
  }

  personAt(index: number): UserId {
    const all = [...LISTENERS, ...OTHERS];
    return all[index % all.length] as UserId;
  }

  arrive(id: UserId, role: RoleType): ToyFact {
    this.roles.set(id, role);
    return arrived(id, role);
  }

  private open(isPrivate: boolean): ToyFact {
    const id = channel(this.members.size + 1);
    this.members.set(id, new Set());
    return opened(id, isPrivate);
  }

  private inChannel(index: number, make: (id: ChannelId) => ToyFact | null): ToyFact | null {
    const ids = [...this.members.keys()];
    const id = ids[index % Math.max(1, ids.length)];
    return id === undefined ? null : make(id);
  }

  private move(joins: boolean, id: ChannelId, index: number): ToyFact | null {
    const [person, members] = [this.personAt(index), this.members.get(id)];
    if (!members || !this.roles.has(person) || members.has(person) === joins) return null;
    if (joins) members.add(person);
    else members.delete(person);
    return joins ? joined(id, person) : left(id, person);
  }

  private changeRole(index: number, role: RoleType): ToyFact | null {
    const person = this.personAt(index);
    if (!this.roles.has(person) || this.roles.get(person) === role) return null;
    this.roles.set(person, role);
    return roleChanged(person, role);
  }

  /** Listeners remain: with their account their queues would end. */
  private depart(index: number): ToyFact | null {
    const person = this.personAt(index);
    if (LISTENERS.includes(person) || !this.roles.delete(person)) return null;
    return departed(person);
  }
}

/** The fields of all events of the toy context. */
interface Received {
  readonly type: string;
  readonly op?: string;
  readonly user: number;
  readonly role: number;
  readonly stream_id: number;
  readonly name: string;
  readonly channel: number;
  readonly message: { readonly id: number };
}

/** A client: the state of its registration, kept current by events alone. */
class Client {
  private readonly users = new Map<number, number>();
  private readonly streams = new Map<number, string>();
  private readonly subscriptions: Set<number>;
  private readonly messages: Set<number>;
  private lastEventId: number;

  constructor(private readonly queue: OpenedQueue) {
    const { realm_users, streams, subscriptions, messages } = queue as unknown as {
      realm_users: { user: number; role: number }[];
      streams: { stream_id: number; name: string }[];
      subscriptions: number[];
      messages: number[];
    };
    for (const { user: id, role } of realm_users) this.users.set(id, role);
    for (const { stream_id, name } of streams) this.streams.set(stream_id, name);
    this.subscriptions = new Set(subscriptions);
    this.messages = new Set(messages);
    this.lastEventId = queue.last_event_id;
  }

  get cursor(): OpenedQueue {
    return { ...this.queue, last_event_id: this.lastEventId };
  }

  receive(events: readonly WireEvent[]): void {
    for (const event of events) {
      expect(event.id).toBeGreaterThan(this.lastEventId);
      this.lastEventId = event.id;
      this.apply(event as unknown as Received);
    }
  }

  state() {
    const byId = <T>(entries: Iterable<[number, T]>) => [...entries].sort(([a], [b]) => a - b);
    const ascending = (ids: Iterable<number>) => [...ids].sort((a, b) => a - b);
    return {
      users: byId(this.users),
      streams: byId(this.streams),
      subscriptions: ascending(this.subscriptions),
      messages: ascending(this.messages),
    };
  }

  private apply(event: Received): void {
    switch (`${event.type} ${event.op ?? ''}`) {
      case 'realm_user add':
      case 'realm_user role':
        this.users.set(event.user, event.role);
        return;
      case 'realm_user remove':
        this.users.delete(event.user);
        return;
      case 'stream create':
        this.streams.set(event.stream_id, event.name);
        return;
      case 'stream update':
        // Nobody may receive the name of a channel that they do not know.
        expect(this.streams.has(event.stream_id)).toBe(true);
        this.streams.set(event.stream_id, event.name);
        return;
      case 'stream delete':
        this.streams.delete(event.stream_id);
        return;
      case 'subscription add':
        this.subscriptions.add(event.channel);
        return;
      case 'subscription remove':
        this.subscriptions.delete(event.channel);
        return;
      case 'message ':
        this.messages.add(event.message.id);
        return;
      default:
        throw new Error(`unknown event ${event.type} ${event.op}`);
    }
  }
}

describe('the register law', () => {
  let toy: ToyFeed;
  let here: ToyProcess;
  beforeEach(async () => {
    toy = await openToyFeed();
    here = toy.first;
  });
  afterEach(() => toy.close());

  it('a snapshot at P and the feed from P to Q make the snapshot at Q', async () => {
    const realms = { next: 1 };
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 40 }), async (acts) => {
        const realmId = realms.next++;
        await here.kernel.database.pool.query('INSERT INTO realm_heads VALUES ($1, 0, 0) ON CONFLICT DO NOTHING', [
          realmId,
        ]);
        await followed(here, realmId as RealmId, acts);
      }),
      { numRuns: 25, endOnFailure: false },
    );
  });
});

/** Runs acts in a realm, with clients that register and poll in between, and compares the states at the end. */
async function followed(here: ToyProcess, realmId: RealmId, acts: readonly Act[]) {
  const world = new World();
  const by = (id: UserId) => as(id, world.roles.get(id), realmId);
  const clients: { readonly owner: UserId; readonly client: Client }[] = [];
  for (const id of [...LISTENERS, ...OTHERS]) {
    await here.happensIn(realmId, world.arrive(id, id === LISTENERS[1] ? Role.guest : Role.member));
  }
  for (const one of acts) {
    const person = 'user' in one ? world.personAt(one.user) : null;
    if (one.kind === 'register' && person && LISTENERS.includes(person)) {
      clients.push({ owner: person, client: new Client(await here.register(by(person))) });
    } else if (one.kind === 'poll') {
      for (const { owner, client } of clients) client.receive(await here.take(by(owner), client.cursor));
    } else {
      const fact = world.fact(one);
      if (fact) await here.happensIn(realmId, fact);
    }
  }
  for (const { owner, client } of clients) {
    client.receive(await here.take(by(owner), client.cursor));
    expect(client.state()).toEqual(new Client(await here.register(by(owner))).state());
  }
}
