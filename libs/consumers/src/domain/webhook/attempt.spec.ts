import type { Instant } from '@annals/kernel/domain';
import { afterAttempt } from './attempt';

const NOW = Date.UTC(2026, 0, 1) as Instant;
const after = (status: number | null, retryAfter?: string, failures = 0) =>
  afterAttempt({ status, retryAfter }, failures, NOW);
const waits = (waitMs: number) => ({ kind: 'retry', waitMs });

describe('what follows from an attempt', () => {
  it.each([200, 201, 204, 299])('is that the events are acknowledged by %p', (status) => {
    expect(after(status)).toEqual({ kind: 'acknowledged' });
  });

  it('is that nothing more is wanted by 410', () => {
    expect(after(410)).toEqual({ kind: 'gone' });
  });

  it.each([null, 100, 301, 400, 404, 500])('is another attempt by %p, whatever it asks for', (status) => {
    expect(after(status, '7')).toEqual(waits(5_000));
  });

  it('is a longer wait after each failure', () => {
    const all = [0, 1, 2, 3, 4, 5, 100].map((failures) => after(500, undefined, failures));
    expect(all).toEqual([5_000, 30_000, 120_000, 600_000, 3_600_000, 3_600_000, 3_600_000].map(waits));
  });

  it.each([
    ['120', 120_000],
    ['0', 1_000],
    ['999999999', 86_400_000],
    ['Thu, 01 Jan 2026 00:02:00 GMT', 120_000],
    ['Thu, 01 Jan 2015 00:00:00 GMT', 1_000],
    ['soon', 5_000],
    ['-5', 5_000],
    ['', 5_000],
  ])('is the wait that 429 and 503 ask for with %p', (text, ms) => {
    expect([after(429, text), after(503, text)]).toEqual([waits(ms), waits(ms)]);
  });
});
