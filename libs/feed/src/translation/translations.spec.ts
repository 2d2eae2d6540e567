import { randomUUID } from 'node:crypto';
import type { ClientEvent, FactOf, Instant, Position, RealmId, Recorded, UserId } from '@annals/kernel/domain';
import { defineEvent, t } from '@annals/kernel/domain';
import type { Feed, FeedReader } from '@annals/kernel';
import { defineContext, defineFeed, definePresenter, translate as on } from '@annals/kernel';
import { Translations } from './translations';

const Renamed = defineEvent('toy.Renamed', { data: t.Object({ thing: t.Integer() }) });
type Toy = FactOf<typeof Renamed>;

const commands = new Map<string, string>();
const event = (position: number, command: string): Recorded => {
  const commandId = commands.get(command) ?? randomUUID();
  commands.set(command, commandId);
  return {
    realmId: 1 as RealmId,
    position: position as Position,
    stream: 'toy-1',
    version: position,
    at: 0 as Instant,
    actorId: 1 as UserId,
    commandId,
    correlation: commandId,
    causation: null,
    client: 'test',
    type: Renamed.type,
    data: { thing: position },
    sealed: null,
  } satisfies Recorded<Toy>;
};
const said = (type: string, payload: Record<string, unknown> = {}): ClientEvent => ({
  type,
  audience: { kind: 'everyone' },
  payload,
});
const places = (events: readonly { position: number; k: number; type: string }[]) =>
  events.map(({ position, k, type }) => [position, k, type]);

/** Each event is presented as its payload. */
const translations = (...feeds: readonly Feed[]) =>
  new Translations([
    defineContext({
      name: 'toy',
      feeds,
      presenters: ['a', 'b', 'c', 'r'].map((type) =>
        definePresenter({ type, load: async () => null, present: () => [] }),
      ),
    }),
  ]);
const nothing = {} as FeedReader;

describe('translation', () => {
  it('gives a feed its facts and numbers the client events of several feeds in their order', async () => {
    const first = defineFeed({
      name: 'first',
      facts: async (_, events) => events.map(({ position }) => position),
      translations: [on(Renamed, (_, facts) => [said('a', { facts }), said('b')])],
    });
    const second = defineFeed({ name: 'second', translations: [on(Renamed, () => [said('c')])] });
    const events = [event(4, 'x'), event(5, 'y')];
    const stored = await translations(first, second).stored(nothing, events);
    expect(places(stored)).toEqual([
      [4, 0, 'a'],
      [4, 1, 'b'],
      [4, 2, 'c'],
      [5, 0, 'a'],
      [5, 1, 'b'],
      [5, 2, 'c'],
    ]);
    expect(stored[0]?.payload).toEqual({ facts: [4, 5] });
    expect(translations(first, second).direct(events)).toEqual([]);
  });

  it('hands over the events of one append together', () => {
    const feed = defineFeed({
      name: 'feed',
      translations: [
        on(Renamed, ({ position }, _, append) => [
          said('r', { position, with: append.map((other) => other.position) }),
        ]),
      ],
    });
    const events = translations(feed).direct([event(1, 'a'), event(2, 'a'), event(3, 'b'), event(4, 'c')]);
    expect(events.map(({ payload }) => payload['with'])).toEqual([[1, 2], [1, 2], [3], [4]]);
  });

  it('needs no facts if no feed needs them, or if the event concerns none that does', async () => {
    const plain = defineFeed({ name: 'plain', translations: [on(Renamed, () => [said('a')])] });
    const factual = defineFeed({
      name: 'factual',
      facts: async (_, events) => events.map(({ position }) => position),
      translations: [
        on(
          Renamed,
          (_, facts) => [said('b', { facts })],
          ({ data }) => data.thing === 2,
        ),
      ],
    });
    const both = translations(plain, factual);
    const events = [event(1, 'a'), event(2, 'b'), event(3, 'b')];
    expect(events.map((one) => both.isStored(one))).toEqual([false, true, false]);
    expect(places(both.direct(events))).toEqual([
      [1, 0, 'a'],
      [3, 0, 'a'],
    ]);
    const stored = await both.stored(nothing, events);
    expect(places(stored)).toEqual([
      [2, 0, 'a'],
      [2, 1, 'b'],
    ]);
    expect(stored[1]?.payload).toEqual({ facts: [2] });
  });

  it('ignores events that no feed translates', () => {
    const deaf = defineFeed({ name: 'deaf', translations: [] });
    expect(translations(deaf).direct([event(1, 'a')])).toEqual([]);
  });

  it('refuses an event without a presenter', () => {
    const feed = defineFeed({ name: 'feed', translations: [on(Renamed, () => [said('unknown')])] });
    expect(() => translations(feed).direct([event(1, 'a')])).toThrow('nobody presents client events of type unknown');
  });
});
