import type { FeedReader, PositionedClientEvent } from '@annals/kernel';
import type { Position, UserId } from '@annals/kernel/domain';
import type { UserAccessQuery } from '../read/account/user-access';
import { MAX_COMPARED, readGuestUserAccess } from './guest-user-access';
import { MAX_REPORTED, NOW, userAccessEvent } from './user-access-events';

const id = (user: number) => user as UserId;
const at = (position: number) => position as Position;
const EVERYBODY = [1, 2, 3, 4, 5].map(id);
/** Of an organization with so many accounts. */
const readerOf = (count: number) =>
  ({ client: { query: async () => ({ rows: [{ count }] }) } }) as unknown as FeedReader;
const reader = readerOf(EVERYBODY.length);
/** From which position a guest sees a user, and until which. */
type Spans = Readonly<Record<string, readonly (readonly [number, number])[]>>;
const SEEN: Spans = {
  '1 3': [
    [10, 20],
    [25, Infinity],
  ],
  '1 4': [[0, 12]],
  '2 3': [[10, Infinity]],
};

function reading(seen: Spans = SEEN, everybody: readonly UserId[] = EVERYBODY) {
  const asked: UserAccessQuery[] = [];
  const readHistory = async (_: FeedReader, input: UserAccessQuery) => {
    asked.push(input);
    const canAccess = (viewer: UserId, person: UserId, position: Position) => {
      const spans = seen[`${viewer} ${person}`] ?? [];
      return viewer === person || spans.some(([from, to]) => from <= position && position < to);
    };
    return { people: input.people ?? everybody, canAccess };
  };
  return { asked, readHistory };
}

const positioned = (event: ReturnType<typeof userAccessEvent>, position: number): PositionedClientEvent => ({
  ...event,
  position: at(position),
  k: 0,
});

describe('client events for restricted guests', () => {
  it('are complete, and cost nothing if no restricted guest listens', async () => {
    const { asked, readHistory } = reading();
    const changes = [positioned(userAccessEvent(at(9), [id(3)]), 10)];
    const access = await readGuestUserAccess(readHistory, reader, { people: EVERYBODY, changes, from: at(9) }, []);
    expect(asked).toEqual([]);
    expect(access.sees(id(1), id(5), { position: at(10) })).toBe(true);
    expect(access.changeOf(id(1), changes[0] as PositionedClientEvent)).toEqual({ gained: [], lost: [] });
    expect(access.gained).toEqual([]);
  });

  it('list the users who became visible or hidden by each event', async () => {
    const { readHistory } = reading();
    const came = positioned(userAccessEvent(at(9), [id(3)]), 10);
    const went = positioned(userAccessEvent(at(11), null), 20);
    const about = { people: [], changes: [came, went], from: at(9) };
    const access = await readGuestUserAccess(readHistory, reader, about, [id(1), id(2)]);
    expect(access.changeOf(id(1), came)).toEqual({ gained: [3], lost: [] });
    expect(access.changeOf(id(2), came)).toEqual({ gained: [3], lost: [] });
    expect(access.changeOf(id(1), went)).toEqual({ gained: [], lost: [3, 4] });
    expect(access.changeOf(id(2), went)).toEqual({ gained: [], lost: [] });
    expect([...new Set(access.gained)]).toEqual([3]);
    expect(access.sees(id(1), id(3), { position: at(19) })).toBe(true);
    expect(access.sees(id(1), id(3), { position: at(20) })).toBe(false);
    expect(access.sees(id(4), id(1), { position: at(12) })).toBe(true);
  });

  it('exclude users who are hidden now', async () => {
    const { readHistory } = reading({ '1 4': [[10, 12]] });
    const came = positioned(userAccessEvent(at(9), [id(4)]), 10);
    const went = positioned(userAccessEvent(at(11), [id(4)]), 12);
    const about = { people: [], changes: [came, went], from: at(9) };
    const access = await readGuestUserAccess(readHistory, reader, about, [id(1)]);
    expect(access.sees(id(1), id(4), { position: at(11) })).toBe(false);
    expect(access.changeOf(id(1), came)).toEqual({ gained: [], lost: [] });
    expect(access.changeOf(id(1), went)).toEqual({ gained: [], lost: [4] });
    expect(access.gained).toEqual([]);
  });

  it('compare with all users only guests who are affected themselves', async () => {
    const { asked, readHistory } = reading();
    const changes = [positioned(userAccessEvent(at(9), [id(1), id(4)]), 10)];
    await readGuestUserAccess(readHistory, reader, { people: [id(5)], changes, from: at(9) }, [id(1), id(2)]);
    expect(asked).toEqual([
      { viewers: [1], people: null, from: 9, to: NOW },
      { viewers: [2], people: [5, 1, 4], from: 9, to: NOW },
    ]);
  });

  it('are refused if more users became visible than one event can contain', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => id(n + 10));
    const changed = async (count: number) => {
      const people = many(count);
      const seen = Object.fromEntries(people.map((one) => [`1 ${one}`, [[10, Infinity] as const]]));
      const { readHistory } = reading(seen, people);
      const came = positioned(userAccessEvent(at(9), [id(1)]), 10);
      const access = await readGuestUserAccess(readHistory, reader, { people: [], changes: [came], from: at(9) }, [
        id(1),
      ]);
      return { change: () => access.changeOf(id(1), came), gained: access.gained };
    };
    const most = await changed(MAX_REPORTED);
    expect(most.change().gained).toHaveLength(MAX_REPORTED);
    expect(most.gained).toHaveLength(MAX_REPORTED);
    const more = await changed(MAX_REPORTED + 1);
    expect(more.change).toThrow('too many');
    expect(more.gained).toEqual([]);
  });

  it('are not computed for more guests at once than the limit; the others receive nothing', async () => {
    const { asked, readHistory } = reading();
    const everywhere = positioned(userAccessEvent(at(9), null), 10);
    const about = { people: [id(3)], changes: [everywhere], from: at(9) };
    const access = await readGuestUserAccess(readHistory, readerOf(MAX_COMPARED), about, [id(1), id(2)]);
    expect(asked).toEqual([{ viewers: [1], people: null, from: 9, to: NOW }]);
    expect(access.changeOf(id(1), everywhere)).toEqual({ gained: [3], lost: [] });
    expect(() => access.changeOf(id(2), everywhere)).toThrow('too many');
    expect(() => access.sees(id(2), id(3), { position: at(10) })).toThrow('could not be compared');
  });
});
