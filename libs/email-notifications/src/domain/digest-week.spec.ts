import type { Instant } from '@annals/kernel/domain';
import { weekDayOf } from './digest-week';

const day = (text: string) => weekDayOf(Date.parse(text) as Instant);

describe('the week of a moment', () => {
  it('begins on Monday at midnight UTC', () => {
    const [sunday, monday] = [day('2026-01-04T23:59:59.999Z'), day('2026-01-05T00:00:00Z')];
    expect([sunday.weekday, monday.weekday]).toEqual([6, 0]);
    expect(monday.week).toBe(sunday.week + 1);
    expect(day('2026-01-11T12:00:00Z')).toEqual({ week: monday.week, weekday: 6 });
  });
});
