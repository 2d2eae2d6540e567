import { parseMoment } from './moment';

describe('a moment', () => {
  it.each([
    ['0', { position: 0 }],
    ['1234', { position: 1_234 }],
    ['p1234', { position: 1_234 }],
    ['"p1234567890123"', { position: 1_234_567_890_123 }],
    ['12345678', { position: 12_345_678 }],
    ['123456789', { time: 123_456_789_000 }],
    ['1764100000.25', { time: 1_764_100_000_250 }],
    ['2026-11-23T09:18:52.113Z', { time: Date.UTC(2026, 10, 23, 9, 18, 52, 113) }],
    ['"2026-11-23T10:18:52+01:00"', { time: Date.UTC(2026, 10, 23, 9, 18, 52) }],
  ])('is %s', (text, moment) => {
    expect(parseMoment(text)).toEqual(moment);
  });

  it.each([
    '',
    'now',
    '-1',
    '1.5',
    'p',
    'p-1',
    'p99999999999999999',
    '1e9',
    '2026-11-23',
    '2026-13-45T00:00:00Z',
    '2026-02-31T00:00:00Z',
    '[1]',
  ])('is not %s', (text) => {
    expect(() => parseMoment(text)).toThrow(expect.objectContaining({ code: 'BAD_MOMENT' }) as Error);
  });
});
