import { Kernel } from '@annals/kernel';
import { ActivityCounter } from '@annals/messages';
import type { ChannelId, Instant } from '@annals/kernel/domain';
import { ManualClock } from '@annals/kernel/domain';
import { readSettings } from '../../../apps/shared/src/settings';
import { startWorker } from '../../../apps/worker/src/start-worker';
import type { Params, WireEvent } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const DAY = 86_400_000;
const clock = new ManualClock(Date.UTC(2026, 0, 1, 12) as Instant);
let server: TestServer;
let owner: Person;
let member: Person;
let guest: Person;
beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = server.owner;
  member = await server.person();
  guest = await server.person({ role: 'guest' });
});
afterAll(() => server.close());

interface Channel {
  readonly stream_id: number;
  readonly is_recently_active: boolean;
  readonly stream_weekly_traffic: number | null;
}
/** Counts the activity, as a worker does at the beginning of a day. */
const count = () => new ActivityCounter(server.kernel).sweep();
const after = (days: number) => {
  clock.advance(days * DAY);
  return count();
};
const figures = async (id: ChannelId) => {
  const { streams } = granted(await owner.get<{ streams: Channel[] }>('/streams', { include_all: true }));
  const found = streams.find(({ stream_id }) => stream_id === id);
  return found && [found.is_recently_active, found.stream_weekly_traffic];
};
const post = async (channel: ChannelId, times = 1, by: Person = owner) => {
  for (let n = 0; n < times; n++) {
    granted(await by.post('/messages', { type: 'channel', to: channel, topic: 'lunch', content: `${n}` }));
  }
};
const logged = async (type: string) => {
  const { rows } = await server.kernel.database.pool.query('SELECT FROM events WHERE type = $1', [type]);
  return rows.length;
};
const STREAMS: Params = { event_types: ['stream'] };
const about = (events: readonly WireEvent[], id: ChannelId) => events.filter(({ stream_id }) => stream_id === id);

describe('the weekly traffic of a channel', () => {
  it('is unknown for a week, then the average of the weeks so far', async () => {
    const channel = await server.channel(owner);
    await post(channel, 10);
    await after(6);
    expect(await figures(channel)).toEqual([true, null]);
    await after(2);
    expect(await figures(channel)).toEqual([true, 10]);
    await post(channel, 5);
    expect(await figures(channel)).toEqual([true, 10]);
    await after(7);
    expect(await figures(channel)).toEqual([true, Math.round((15 * 7) / 14)]);
  });

  it('counts the last four weeks, and is 0 without messages', async () => {
    const [busy, quiet] = [await server.channel(owner), await server.channel(owner)];
    await post(busy, 12);
    await after(29);
    expect(await figures(busy)).toEqual([true, 0]);
    await post(busy, 6);
    await after(1);
    expect(await figures(busy)).toEqual([true, Math.round(6 / 4)]);
    expect(await figures(quiet)).toEqual([true, 0]);
  });

  it('is sent to users who can see the channel, with its name', async () => {
    const channel = await server.channel(owner, { name: 'counted', invite_only: true, subscribers: [owner, guest] });
    await post(channel, 3);
    let toGuest: readonly WireEvent[] = [];
    let toMember: readonly WireEvent[] = [];
    const toOwner = await owner.receive(async () => {
      toMember = await member.receive(async () => {
        toGuest = await guest.receive(() => after(8), STREAMS);
      }, STREAMS);
    }, STREAMS);
    const received = {
      type: 'stream',
      op: 'update',
      property: 'stream_weekly_traffic',
      value: 3,
      stream_id: channel,
      name: 'counted',
    };
    expect(about(toOwner, channel)).toEqual([{ ...received, id: expect.any(Number) as number }]);
    expect(about(toGuest, channel)).toMatchObject([received]);
    expect(about(toMember, channel)).toEqual([]);
  });
});

describe('the count of a day', () => {
  it('is one event, however many workers run, and none where no count changes', async () => {
    const channel = await server.channel(owner);
    await post(channel);
    clock.advance(8 * DAY);
    const before = await logged('channels.ActivityCounted');
    await Promise.all([count(), count(), count()]);
    expect(await figures(channel)).toEqual([true, 1]);
    expect(await logged('channels.ActivityCounted')).toBe(before + 1);
    await count();
    expect(await logged('channels.ActivityCounted')).toBe(before + 1);
    await after(400);
    const settled = await logged('channels.ActivityCounted');
    await after(1);
    expect(await logged('channels.ActivityCounted')).toBe(settled);
  });
});

describe('a worker', () => {
  it('counts without a job, at its start and from then on', async () => {
    const channel = await server.channel(owner);
    await post(channel, 2);
    clock.advance(8 * DAY);
    const settings = readSettings({ ANNALS_DATA_DIR: server.dataDir, ANNALS_LOG_LEVEL: 'fatal' });
    const worker = await startWorker(await Kernel.open(server.kernel.options), settings);
    await worker.close();
    expect(await figures(channel)).toEqual([true, 2]);
  });
});

describe('a channel without messages for 180 days', () => {
  it('is no longer recently active, with or without earlier messages', async () => {
    const [once, never] = [await server.channel(owner), await server.channel(owner)];
    await post(once);
    await after(179);
    expect([await figures(once), await figures(never)]).toEqual([
      [true, 0],
      [true, 0],
    ]);
    await after(3);
    expect([await figures(once), await figures(never)]).toEqual([
      [false, 0],
      [false, 0],
    ]);
  });

  it('is active again with the next message, with one event', async () => {
    const channel = await server.channel(owner, { name: 'sleeper' });
    const toMember = await member.receive(() => after(182), STREAMS);
    expect(about(toMember, channel)).toMatchObject([
      { property: 'is_recently_active', value: false },
      { property: 'stream_weekly_traffic', value: 0 },
    ]);
    const types = { event_types: ['stream', 'message'] };
    const events = await owner.receive(() => post(channel, 2), types);
    expect(events).toMatchObject([
      { type: 'stream', op: 'update', property: 'is_recently_active', value: true, name: 'sleeper' },
      { type: 'message' },
      { type: 'message' },
    ]);
    expect(await figures(channel)).toEqual([true, 0]);
  });

  it('is reactivated once by concurrent messages', async () => {
    const channel = await server.channel(owner);
    await after(182);
    const before = await logged('channels.ActivityResumed');
    await Promise.all([post(channel), post(channel), post(channel, 1, member)]);
    expect(await logged('channels.ActivityResumed')).toBe(before + 1);
    expect(await figures(channel)).toEqual([true, 0]);
  });
});
