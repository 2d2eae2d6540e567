import type { FeedReader, PlacedClientEvent } from '@annals/kernel';
import type { Position, UserId } from '@annals/kernel/domain';
import type { SightAsked } from '../read/account/user-access';
import { MOST_COMPARED, readGuestsSight } from './guest-user-access';
import { MOST_TOLD, NOW, sightEvent } from './user-access-events';

const id = (user: number) => user as UserId;
const at = (position: number) => position as Position;
const EVERYBODY = [1, 2, 3, 4, 5].map(id);
/** Of an organization with so many accounts. */
const readerOf = (count: number) =>
  ({ client: { query: async () => ({ rows: [{ count }] }) } }) as unknown as FeedReader;
const reader = readerOf(EVERYBODY.length);
/** From which position a guest sees somebody, and until which. */
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
  const asked: SightAsked[] = [];
  const readSight = async (_: FeedReader, wish: SightAsked) => {
    asked.push(wish);
    const sees = (viewer: UserId, person: UserId, position: Position) => {
      const spans = seen[`${viewer} ${person}`] ?? [];
      return viewer === person || spans.some(([from, to]) => from <= position && position < to);
    };
    return { people: wish.people ?? everybody, sees };
  };
  return { asked, readSight };
}

const placed = (event: ReturnType<typeof sightEvent>, position: number): PlacedClientEvent => ({
  ...event,
  position: at(position),
  k: 0,
});

describe('what guests hear of others', () => {
  it('is all of it, and costs nothing, where no guest under restriction listens', async () => {
    const { asked, readSight } = reading();
    const changes = [placed(sightEvent(at(9), [id(3)]), 10)];
    const sight = await readGuestsSight(readSight, reader, { people: EVERYBODY, changes, from: at(9) }, []);
    expect(asked).toEqual([]);
    expect(sight.sees(id(1), id(5), { position: at(10) })).toBe(true);
    expect(sight.changeOf(id(1), changes[0] as PlacedClientEvent)).toEqual({ gained: [], lost: [] });
    expect(sight.gained).toEqual([]);
  });

  it('is by each event who came into their sight and who went out of it', async () => {
    const { readSight } = reading();
    const came = placed(sightEvent(at(9), [id(3)]), 10);
    const went = placed(sightEvent(at(11), null), 20);
    const about = { people: [], changes: [came, went], from: at(9) };
    const sight = await readGuestsSight(readSight, reader, about, [id(1), id(2)]);
    expect(sight.changeOf(id(1), came)).toEqual({ gained: [3], lost: [] });
    expect(sight.changeOf(id(2), came)).toEqual({ gained: [3], lost: [] });
    expect(sight.changeOf(id(1), went)).toEqual({ gained: [], lost: [3, 4] });
    expect(sight.changeOf(id(2), went)).toEqual({ gained: [], lost: [] });
    expect([...new Set(sight.gained)]).toEqual([3]);
    expect(sight.sees(id(1), id(3), { position: at(19) })).toBe(true);
    expect(sight.sees(id(1), id(3), { position: at(20) })).toBe(false);
    expect(sight.sees(id(4), id(1), { position: at(12) })).toBe(true);
  });

  it('is nothing of those whom they saw then and do not see any more, for they are told of as they are now', async () => {
    const { readSight } = reading({ '1 4': [[10, 12]] });
    const came = placed(sightEvent(at(9), [id(4)]), 10);
    const went = placed(sightEvent(at(11), [id(4)]), 12);
    const about = { people: [], changes: [came, went], from: at(9) };
    const sight = await readGuestsSight(readSight, reader, about, [id(1)]);
    expect(sight.sees(id(1), id(4), { position: at(11) })).toBe(false);
    expect(sight.changeOf(id(1), came)).toEqual({ gained: [], lost: [] });
    expect(sight.changeOf(id(1), went)).toEqual({ gained: [], lost: [4] });
    expect(sight.gained).toEqual([]);
  });

  it('compares with everybody only those who were moved themselves', async () => {
    const { asked, readSight } = reading();
    const changes = [placed(sightEvent(at(9), [id(1), id(4)]), 10)];
    await readGuestsSight(readSight, reader, { people: [id(5)], changes, from: at(9) }, [id(1), id(2)]);
    expect(asked).toEqual([
      { viewers: [1], people: null, from: 9, to: NOW },
      { viewers: [2], people: [5, 1, 4], from: 9, to: NOW },
    ]);
  });

  it('is too much where more came into sight than one event can tell', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => id(n + 10));
    const changed = async (count: number) => {
      const people = many(count);
      const seen = Object.fromEntries(people.map((one) => [`1 ${one}`, [[10, Infinity] as const]]));
      const { readSight } = reading(seen, people);
      const came = placed(sightEvent(at(9), [id(1)]), 10);
      const sight = await readGuestsSight(readSight, reader, { people: [], changes: [came], from: at(9) }, [id(1)]);
      return { told: () => sight.changeOf(id(1), came), gained: sight.gained };
    };
    const most = await changed(MOST_TOLD);
    expect(most.told().gained).toHaveLength(MOST_TOLD);
    expect(most.gained).toHaveLength(MOST_TOLD);
    const more = await changed(MOST_TOLD + 1);
    expect(more.told).toThrow('too many');
    expect(more.gained).toEqual([]);
  });

  it('is not worked out for more guests at once than there is room for; nothing is shown to the others', async () => {
    const { asked, readSight } = reading();
    const everywhere = placed(sightEvent(at(9), null), 10);
    const about = { people: [id(3)], changes: [everywhere], from: at(9) };
    const sight = await readGuestsSight(readSight, readerOf(MOST_COMPARED), about, [id(1), id(2)]);
    expect(asked).toEqual([{ viewers: [1], people: null, from: 9, to: NOW }]);
    expect(sight.changeOf(id(1), everywhere)).toEqual({ gained: [3], lost: [] });
    expect(() => sight.changeOf(id(2), everywhere)).toThrow('too many');
    expect(() => sight.sees(id(2), id(3), { position: at(10) })).toThrow('could not be compared');
  });
});
