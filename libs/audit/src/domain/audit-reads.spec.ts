import type { Instant, Recorded, UserId } from '@annals/kernel/domain';
import type { Viewed } from './events';
import type { AuditRead } from './audit-reads';
import { SAME_READ_MS, auditReadsAggregate, questionOf, readStreams, recordRead } from './audit-reads';

const NOON = Date.UTC(2026, 0, 2, 12) as Instant;
const read = (parameters: AuditRead['parameters'] = {}, endpoint = 'GET /audit/events'): AuditRead => ({
  endpoint,
  parameters,
  results: 3,
  words: false,
});
const after = (...reads: readonly (readonly [AuditRead, number])[]) =>
  reads.reduce(
    (recent, [data, at]) =>
      auditReadsAggregate.evolve(recent, { type: 'audit.Viewed', data, sealed: null, at } as Recorded<Viewed>),
    auditReadsAggregate.initial,
  );
const at = (ms: number) => (NOON + ms) as Instant;

describe('a read of the history', () => {
  it('is recorded once in a minute', () => {
    const recent = after([read({ subject: 'user:7', limit: 5 }), NOON]);
    expect(recordRead([recent], read({ limit: 5, subject: 'user:7' }), at(SAME_READ_MS - 1))).toEqual([]);
    expect(recordRead([recent], read({ subject: 'user:7', limit: 5 }), at(SAME_READ_MS))).toHaveLength(1);
  });

  it('is another one with other parameters, and of another endpoint', () => {
    const recent = after([read({ subject: 'user:7' }), NOON]);
    expect(recordRead([recent], read({ subject: 'user:8' }), at(1))).toHaveLength(1);
    expect(recordRead([recent], read(), at(1))).toHaveLength(1);
    expect(recordRead([recent], read({ subject: 'user:7' }, 'GET /audit/events/stream'), at(1))).toHaveLength(1);
  });

  it('asks the same with parameters in another order', () => {
    expect(questionOf(read({ limit: 5, subject: 'user:7' }))).toBe(questionOf(read({ subject: 'user:7', limit: 5 })));
    expect(questionOf(read({ limit: 5 }))).not.toBe(questionOf(read({ limit: 6 })));
  });

  it('continues across midnight', () => {
    const user = 7 as UserId;
    const midnight = Date.UTC(2026, 0, 3);
    expect(readStreams(user, 'q', NOON)).toEqual({ own: '7:20455:q', before: null });
    const after59Seconds = readStreams(user, 'q', (midnight + SAME_READ_MS - 1) as Instant);
    expect(after59Seconds).toEqual({ own: '7:20456:q', before: '7:20455:q' });
    expect(readStreams(user, 'q', (midnight + SAME_READ_MS) as Instant)).toEqual({ own: '7:20456:q', before: null });
    const yesterday = after([read(), midnight - 10]);
    expect(recordRead([after(), yesterday], read(), (midnight + 10) as Instant)).toEqual([]);
  });

  it('keeps no reads of more than a minute ago', () => {
    const reads = Array.from({ length: 100 }, (_, n) => [read({ limit: n }), NOON + n * 30_000] as const);
    expect(after(...reads).size).toBe(2);
  });
});
