import { randomUUID } from 'node:crypto';
import type { ClientEvent, FactOf, Instant, Position, RealmId, Recorded, UserId } from '@annals/kernel/domain';
import { defineEvent, t } from '@annals/kernel/domain';
import { defineFeed, translate as on } from '@annals/kernel';
import { translate } from './translate';

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

describe('translation', () => {
  it('gives a feed its facts and numbers what feeds say of one event in their order', () => {
    const first = defineFeed({
      name: 'first',
      facts: async () => 'facts',
      translations: [on(Renamed, (_, facts) => [said('a', { facts }), said('b')])],
    });
    const second = defineFeed({
      name: 'second',
      facts: async () => null,
      translations: [on(Renamed, () => [said('c')])],
    });
    const feeds = [
      { feed: first, facts: 'facts' },
      { feed: second, facts: null },
    ];
    const events = translate(feeds, [event(4, 'x'), event(5, 'y')]);
    expect(places(events)).toEqual([
      [4, 0, 'a'],
      [4, 1, 'b'],
      [4, 2, 'c'],
      [5, 0, 'a'],
      [5, 1, 'b'],
      [5, 2, 'c'],
    ]);
    expect(events[0]?.payload).toEqual({ facts: 'facts' });
  });

  it('hands over the events of one append together', () => {
    const feed = defineFeed({
      name: 'feed',
      facts: async () => null,
      translations: [
        on(Renamed, ({ position }, _, append) => [
          said('r', { position, with: append.map((other) => other.position) }),
        ]),
      ],
    });
    const events = translate([{ feed, facts: null }], [event(1, 'a'), event(2, 'a'), event(3, 'b'), event(4, 'c')]);
    expect(events.map(({ payload }) => payload.with)).toEqual([[1, 2], [1, 2], [3], [4]]);
  });

  it('says nothing of events that no feed listens to', () => {
    const feed = defineFeed({ name: 'deaf', facts: async () => null, translations: [] });
    expect(translate([{ feed, facts: null }], [event(1, 'a')])).toEqual([]);
  });
});
