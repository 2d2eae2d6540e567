import type { Instant, Recorded, UserId } from '@annals/kernel/domain';
import type { Viewed } from './events';
import type { View } from './views';
import { SAME_VIEW_MS, viewStreams, viewed, viewsAggregate } from './views';

const NOON = Date.UTC(2026, 0, 2, 12) as Instant;
const view = (parameters: View['parameters'] = {}, endpoint = 'GET /audit/events'): View => ({
  endpoint,
  parameters,
  results: 3,
  words: false,
});
const after = (...views: readonly (readonly [View, number])[]) =>
  views.reduce(
    (recent, [data, at]) =>
      viewsAggregate.evolve(recent, { type: 'audit.Viewed', data, sealed: null, at } as Recorded<Viewed>),
    viewsAggregate.initial,
  );
const at = (ms: number) => (NOON + ms) as Instant;

describe('a view of the history', () => {
  it('is recorded once in a minute', () => {
    const recent = after([view({ subject: 'user:7', limit: 5 }), NOON]);
    expect(viewed([recent], view({ limit: 5, subject: 'user:7' }), at(SAME_VIEW_MS - 1))).toEqual([]);
    expect(viewed([recent], view({ subject: 'user:7', limit: 5 }), at(SAME_VIEW_MS))).toHaveLength(1);
  });

  it('is another one with other parameters, and of another endpoint', () => {
    const recent = after([view({ subject: 'user:7' }), NOON]);
    expect(viewed([recent], view({ subject: 'user:8' }), at(1))).toHaveLength(1);
    expect(viewed([recent], view(), at(1))).toHaveLength(1);
    expect(viewed([recent], view({ subject: 'user:7' }, 'GET /audit/events/stream'), at(1))).toHaveLength(1);
  });

  it('continues across midnight', () => {
    const user = 7 as UserId;
    const midnight = Date.UTC(2026, 0, 3);
    expect(viewStreams(user, NOON)).toEqual({ own: '7:20455', before: null });
    expect(viewStreams(user, (midnight + SAME_VIEW_MS - 1) as Instant)).toEqual({ own: '7:20456', before: '7:20455' });
    expect(viewStreams(user, (midnight + SAME_VIEW_MS) as Instant)).toEqual({ own: '7:20456', before: null });
    const yesterday = after([view(), midnight - 10]);
    expect(viewed([after(), yesterday], view(), (midnight + 10) as Instant)).toEqual([]);
  });

  it('keeps no views of more than a minute ago', () => {
    const views = Array.from({ length: 100 }, (_, n) => [view({ limit: n }), NOON + n * 30_000] as const);
    expect(after(...views).size).toBe(2);
  });
});
