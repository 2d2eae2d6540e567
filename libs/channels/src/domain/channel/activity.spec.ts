import type { ChannelId, Instant } from '@annals/kernel/domain';
import { DAY_MS } from '@annals/kernel/domain';
import type { CountedChannel } from './activity';
import { countActivity, dayOf } from './activity';

const TODAY = 20_000;
const begins = (day: number) => (day * DAY_MS) as Instant;
/** A channel of so many days, with its presented and its counted activity. */
const channel = (age: number, counted: Partial<CountedChannel> = {}): CountedChannel => ({
  id: 7 as ChannelId,
  createdAt: begins(TODAY - age),
  isRecentlyActive: true,
  weeklyTraffic: null,
  hasLife: true,
  messages: 0,
  ...counted,
});
const change = (one: CountedChannel) => countActivity(false, TODAY, [one])[0]?.data.channels[0];

describe('the activity of a channel', () => {
  it.each([
    [0, 50, undefined],
    [6, 50, undefined],
    [7, 50, 50],
    [8, 50, 44],
    [14, 15, 8],
    [28, 15, 4],
    [400, 15, 4],
    [400, 1, 0],
    [400, 0, 0],
  ])('after %i days with %i messages is, per week, %s', (age, messages, weeklyTraffic) => {
    expect(change(channel(age, { messages }))?.weeklyTraffic).toBe(weeklyTraffic);
  });

  it('is an event only if it changes', () => {
    expect(change(channel(400, { messages: 40, weeklyTraffic: 10 }))).toBeUndefined();
    expect(change(channel(400, { messages: 40, weeklyTraffic: 9 }))).toEqual({ channelId: 7, weeklyTraffic: 10 });
    expect(change(channel(400, { hasLife: false, weeklyTraffic: 0 }))).toEqual({
      channelId: 7,
      isRecentlyActive: false,
    });
    expect(change(channel(400, { isRecentlyActive: false, messages: 4 }))).toEqual({
      channelId: 7,
      isRecentlyActive: true,
      weeklyTraffic: 1,
    });
  });

  it('is one event for an uncounted day, if anything changed', () => {
    const [busy, quiet] = [channel(400, { messages: 40 }), channel(400, { weeklyTraffic: 0 })];
    expect(countActivity(false, TODAY, [busy, quiet, busy])).toMatchObject([{ data: { day: TODAY } }]);
    expect(countActivity(false, TODAY, [quiet])).toEqual([]);
    expect(countActivity(true, TODAY, [busy])).toEqual([]);
  });

  it('is split into several events if one would be too large', () => {
    const many = Array.from({ length: 5_001 }, () => channel(400));
    expect(countActivity(false, TODAY, many).map(({ data }) => data.channels.length)).toEqual([5_000, 1]);
  });

  it('is counted by days of UTC', () => {
    expect([dayOf(begins(TODAY)), dayOf((begins(TODAY) - 1) as Instant)]).toEqual([TODAY, TODAY - 1]);
  });
});
