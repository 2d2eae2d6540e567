import type { Instant } from '@annals/kernel/domain';
import { bothForms, legacy, modern } from './present-presence';

const at = (seconds: number) => (seconds * 1_000) as Instant;
const presence = (active: number, connected: number) => ({ activeAt: at(active), connectedAt: at(connected) });

describe('a presence', () => {
  it('is two times in the modern form', () => {
    expect(modern({ activeAt: 1_999 as Instant, connectedAt: 3_000 as Instant })).toEqual({
      active_timestamp: 1,
      idle_timestamp: 3,
    });
  });

  it.each([
    ['active', presence(1_000, 1_070), 1_000],
    ['idle', presence(1_000, 1_071), 1_071],
  ])('is %s in the legacy form', (status, one, timestamp) => {
    expect(legacy(one)).toEqual({
      aggregated: { client: 'website', status, timestamp },
      website: { client: 'website', status, timestamp, pushable: false },
    });
  });

  it('is offline as a whole after 200 seconds', () => {
    const active = { status: 'active', timestamp: 1_000 };
    const times = { active_timestamp: 1_000, idle_timestamp: 1_000 };
    expect(bothForms(presence(1_000, 1_000), at(1_200))).toEqual({ ...times, aggregated: active, website: active });
    expect(bothForms(presence(1_000, 1_000), at(1_201))).toEqual({
      ...times,
      aggregated: { status: 'offline', timestamp: 1_000 },
      website: active,
    });
  });
});
