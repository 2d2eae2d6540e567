import type { ChannelPrivacy } from '@annals/channels';
import { historyScope } from '@annals/channels';
import type { ChannelId, GroupId, MessageId, Position, Role, Span, UserId } from '@annals/kernel/domain';
import { covers } from '@annals/kernel/domain';
import fc from 'fast-check';
import { privacy, shaped } from '../../spec-support/visibility-acts';
import type { PrivacyPhase } from './visits';
import { accessOf, readableIntervalsOf } from './visits';

const END = 40;
const [HERE, THERE] = [1, 2] as [ChannelId, ChannelId];
const ID = 5 as MessageId;
const by = { userId: 3 as UserId, role: 400 as Role, groups: new Set<GroupId>() };
const at = (position: number) => position as Position;
const positions = fc.uniqueArray(fc.integer({ min: 2, max: END - 1 }), { maxLength: 6 });

/** Joins and leaves in turn. */
const spansAt = (turns: readonly number[]): Span[] => {
  const sorted = [...turns].sort((a, b) => a - b);
  return sorted.flatMap((from, n) => {
    const to = sorted[n + 1];
    return n % 2 === 0 ? [{ from: at(from), to: to === undefined ? null : at(to) }] : [];
  });
};
const phasesAt = (turns: readonly number[], likes: readonly ChannelPrivacy[]): PrivacyPhase[] =>
  [1, ...[...turns].sort((a, b) => a - b)].flatMap((since, n) => {
    const channel = likes[n];
    return channel ? [{ since: at(since), channel }] : [];
  });
const life = fc.record({
  spans: positions.map(spansAt),
  phases: fc
    .tuple(positions, fc.array(privacy, { minLength: 7, maxLength: 7 }))
    .map(([turns, likes]) => phasesAt(turns, likes)),
});
type Life = typeof life extends fc.Arbitrary<infer T> ? T : never;

/** Whether the message could be read at one position, without stretches. */
function isReadable({ spans, phases }: Life, position: number, arrived: number, isConcerned: boolean): boolean {
  const channel = phases.findLast(({ since }) => since <= position)?.channel;
  const scope = channel ? historyScope(channel, by, covers(spans, position)) : 'none';
  return scope === 'all' || (scope === 'received' && (isConcerned || covers(spans, arrived)));
}
function isAllReadable({ spans, phases }: Life, position: number): boolean {
  const channel = phases.findLast(({ since }) => since <= position)?.channel;
  return channel !== undefined && historyScope(channel, by, covers(spans, position)) === 'all';
}

const visits = (here: Life, there: Life, moved: number, isConcerned: boolean) =>
  readableIntervalsOf(
    ID,
    { sentTo: HERE, later: [{ since: at(moved), channelId: THERE }] },
    (channel) => {
      const { phases, spans } = channel === HERE ? here : there;
      return accessOf(phases, spans, by);
    },
    isConcerned,
  );

describe('when a user could read a message', () => {
  it('is each position at which the channel gave access, and the whole channel interval if the whole history was readable at its end', () => {
    const moves = fc.integer({ min: ID + 1, max: END - 1 });
    const property = fc.property(life, life, moves, fc.boolean(), (here, there, moved, isConcerned) => {
      const [first, second] = visits(here, there, moved, isConcerned);
      const stays = [
        { visit: first, channel: here, from: ID as number, last: moved - 1, isConcerned },
        { visit: second, channel: there, from: moved, last: END, isConcerned: false },
      ];
      for (const { visit, channel, from, last, isConcerned: concerns } of stays) {
        const isOpened = isAllReadable(channel, last);
        for (let position = from; position <= last; position++) {
          const expected = isOpened || isReadable(channel, position, from, concerns);
          expect([position, visit && covers(visit.readable, position)]).toEqual([position, expected]);
        }
        expect(visit?.readable.some((stretch) => stretch.from < from)).toBe(false);
      }
    });
    fc.assert(property, { numRuns: 500 });
  });

  it('is no position of an absence from a channel in which others were', () => {
    const away = {
      spans: spansAt([2, 10]),
      phases: phasesAt([], [{ ...shaped(true), historyPublicToSubscribers: true }]),
    };
    const [first] = visits(away, away, 20, false);
    expect(first).toEqual({ from: 5, to: 20, readable: [{ from: 5, to: 10 }] });
  });
});
