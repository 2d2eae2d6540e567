import type { FeedReader, PlacedClientEvent } from '@annals/kernel';
import type { Position, UserId } from '@annals/kernel/domain';
import type { SightAsked } from '../read/acquaintances';
import { readGuestsSight } from './guests-sight';
import { sightEvent } from './sight';

const id = (user: number) => user as UserId;
const at = (position: number) => position as Position;
const reader = {} as FeedReader;
const EVERYBODY = [1, 2, 3, 4, 5].map(id);
/** From which position a guest sees somebody, and until which. */
const SEEN: Readonly<Record<string, readonly [number, number]>> = { '1 3': [10, 20], '1 4': [0, 12], '2 3': [10, 99] };

function reading() {
  const asked: SightAsked[] = [];
  const readSight = async (_: FeedReader, wish: SightAsked) => {
    asked.push(wish);
    const sees = (viewer: UserId, person: UserId, position: Position) => {
      const [from, to] = SEEN[`${viewer} ${person}`] ?? [0, viewer === person ? 99 : 0];
      return from <= position && position < to;
    };
    return { people: wish.people ?? EVERYBODY, sees };
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
    const sight = await readGuestsSight(readSight, reader, { people: EVERYBODY, changes, from: at(9), to: at(10) }, []);
    expect(asked).toEqual([]);
    expect(sight.sees(id(1), id(5), { position: at(10) })).toBe(true);
    expect(sight.changeOf(id(1), changes[0] as PlacedClientEvent)).toEqual({ gained: [], lost: [] });
    expect(sight.gained).toEqual([]);
  });

  it('is by each event who came into their sight and who went out of it', async () => {
    const { readSight } = reading();
    const came = placed(sightEvent(at(9), [id(3)]), 10);
    const went = placed(sightEvent(at(11), null), 20);
    const about = { people: [], changes: [came, went], from: at(9), to: at(20) };
    const sight = await readGuestsSight(readSight, reader, about, [id(1), id(2)]);
    expect(sight.changeOf(id(1), came)).toEqual({ gained: [3], lost: [] });
    expect(sight.changeOf(id(2), came)).toEqual({ gained: [3], lost: [] });
    expect(sight.changeOf(id(1), went)).toEqual({ gained: [], lost: [3, 4] });
    expect(sight.changeOf(id(2), went)).toEqual({ gained: [], lost: [] });
    expect([...new Set(sight.gained)]).toEqual([3]);
    expect(sight.sees(id(1), id(4), { position: at(11) })).toBe(true);
    expect(sight.sees(id(1), id(4), { position: at(12) })).toBe(false);
    expect(sight.sees(id(4), id(1), { position: at(12) })).toBe(true);
  });

  it('compares with everybody only those who were moved themselves', async () => {
    const { asked, readSight } = reading();
    const changes = [placed(sightEvent(at(9), [id(1), id(4)]), 10)];
    await readGuestsSight(readSight, reader, { people: [id(5)], changes, from: at(9), to: at(10) }, [id(1), id(2)]);
    expect(asked).toEqual([
      { viewers: [1], people: null, from: 9, to: 10 },
      { viewers: [2], people: [5, 1, 4], from: 9, to: 10 },
    ]);
  });
});
