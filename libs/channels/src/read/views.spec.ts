import { defineContext } from '@annals/kernel';
import type { ChannelId, Fact, GroupId, Position, UserId } from '@annals/kernel/domain';
import { defineEvent, fact, t } from '@annals/kernel/domain';
import { Deactivated } from '@annals/users';
import { recorded } from '../../../../test/support/events/recorded-events';
import type { TestKernel } from '../../../../test/support/server/kernel';
import { openTestKernel } from '../../../../test/support/server/kernel';
import { firstChannel, membersStream } from '../domain/channel/channel';
import {
  ActivityCounted,
  ActivityResumed,
  CHANNEL_EVENTS,
  Returned,
  Subscribed,
  SubscriptionPropertyChanged,
  Unsubscribed,
} from '../domain/events';
import type { PersonalProperty } from '../domain/subscription/personal-properties';
import { activityView } from './channel/activity.view';
import { channelsView } from './channel/channels.view';
import { membershipsView } from './subscription/memberships.view';

const design = 7 as ChannelId;
const [ann, bob] = [1, 2] as [UserId, UserId];
const groups = {
  nobody: 1 as GroupId,
  administrators: 3 as GroupId,
  moderators: 4 as GroupId,
  fullmembers: 5 as GroupId,
  everyone: 7 as GroupId,
};
const created = firstChannel(design, { name: 'Design', description: 'All of it' }, groups);
const TopicStarted = defineEvent('messages.TopicStarted', {
  data: t.Object({ topicId: t.Integer(), channelId: t.Integer(), firstMessageId: t.Integer() }),
});
const FirstMessageChanged = defineEvent('messages.FirstMessageChanged', {
  data: t.Object({ channelId: t.Integer(), messageId: t.Integer() }),
});
const joined = (...userIds: UserId[]) =>
  fact(Subscribed, { channelId: design, userIds, colors: userIds.map(() => '#c2c2c2') });
const set = (property: PersonalProperty) =>
  fact(SubscriptionPropertyChanged, { userId: ann, channelId: design, ...property });
const left = (...userIds: UserId[]) => fact(Unsubscribed, { channelId: design, userIds });

describe('read models of channels', () => {
  let test: TestKernel;
  beforeAll(async () => {
    const events = [
      ...CHANNEL_EVENTS,
      ...[Returned, Subscribed, Unsubscribed, SubscriptionPropertyChanged],
      ...[ActivityCounted, ActivityResumed],
    ];
    const projections = [channelsView, membershipsView, activityView];
    test = await openTestKernel([
      defineContext({ name: 'channels', events, projections }),
      defineContext({ name: 'messages', events: [TopicStarted, FirstMessageChanged] }),
      defineContext({ name: 'users', events: [Deactivated] }),
    ]);
  });
  afterAll(() => test.close());

  const state = (...facts: Fact[]) => test.state(...facts.map((one) => [membersStream(design), one] as const));

  it('show a channel, its subscribers by spans, and their settings, which outlive a span', async () => {
    await test.state([`channel-${design}`, created]);
    await state(joined(ann, bob));
    await state(set({ property: 'is_muted', value: true }), set({ property: 'color', value: '#123456' }));
    await state(left(ann));
    await state(joined(ann));
    await state(left(bob));
    expect(await test.rows('channels', 'channel_id')).toMatchObject([
      {
        channel_id: design,
        name: 'Design',
        name_key: 'design',
        description: 'All of it',
        created_position: 1,
        version: 1,
      },
    ]);
    expect(await test.rows('memberships', 'user_id, from_position')).toEqual([
      { channel_id: design, user_id: ann, from_position: 2, to_position: 5, continuous_until: 5, is_departed: false },
      {
        channel_id: design,
        user_id: ann,
        from_position: 6,
        to_position: null,
        continuous_until: null,
        is_departed: false,
      },
      { channel_id: design, user_id: bob, from_position: 2, to_position: 7, continuous_until: 7, is_departed: false },
    ]);
    expect(await test.rows('subscriptions', 'user_id')).toMatchObject([
      { user_id: ann, color: '#123456', is_muted: true, desktop_notifications: null },
      { user_id: bob, color: '#c2c2c2' },
    ]);
  });

  it('count subscribers, and mark deactivated ones', async () => {
    const goes = fact(Deactivated, { userId: bob, role: 400, botOwnerId: null });
    await state(joined(bob));
    expect(await test.rows('channel_sizes', 'channel_id')).toEqual([{ channel_id: design, members: 2 }]);
    await test.state([`user-${bob}`, goes]);
    const rows = await test.rows('memberships', 'user_id, from_position');
    expect(rows.map(({ is_departed }) => is_departed)).toEqual([false, false, false, true]);
  });

  it('start a new span for a reactivated user, and end the former one at the deactivation', async () => {
    const stays = () => test.rows('memberships', 'user_id, from_position');
    const since = (Number((await stays()).at(-1)?.['from_position']) + 1) as Position;
    await test.state([`returns-${bob}`, fact(Returned, { userId: bob, channelIds: [design], since })]);
    expect((await stays()).slice(-2)).toMatchObject([
      { user_id: bob, to_position: since, continuous_until: since + 1, is_departed: false },
      { user_id: bob, from_position: since + 1, to_position: null, continuous_until: null, is_departed: false },
    ]);
    expect(await test.rows('channel_sizes', 'channel_id')).toEqual([{ channel_id: design, members: 2 }]);
  });

  it('keep the first message of a channel and no later one', async () => {
    const began = (topicId: number) =>
      fact(TopicStarted, { topicId, channelId: design, firstMessageId: 100 + topicId });
    await test.state(['topic-1', began(1)]);
    await test.state(['topic-2', began(2)]);
    expect(await test.rows('channel_activity', 'channel_id')).toEqual([
      { channel_id: design, first_message_id: 101, is_recently_active: true, weekly_traffic: null },
    ]);
  });

  it('show the activity of a channel as counted', async () => {
    const figures = () => test.rows('channel_activity', 'channel_id');
    const counted = (change: object) => fact(ActivityCounted, { day: 1, channels: [{ channelId: design, ...change }] });
    await test.state(['activity-of-day-1', counted({ weeklyTraffic: 3 })]);
    expect(await figures()).toMatchObject([{ is_recently_active: true, weekly_traffic: 3 }]);
    await test.state(['activity-of-day-2', counted({ isRecentlyActive: false })]);
    expect(await figures()).toMatchObject([{ is_recently_active: false, weekly_traffic: 3 }]);
    await test.state(['activity-7', fact(ActivityResumed, { channelId: design })]);
    await test.state(['activity-of-day-3', counted({ weeklyTraffic: null })]);
    expect(await figures()).toMatchObject([{ is_recently_active: true, weekly_traffic: null }]);
  });

  it('show a placeholder for a channel whose texts were erased', () => {
    const rows: unknown[] = [];
    const handle = channelsView.handlers.get(created.type);
    const changes = { insert: (_: string, row: unknown) => rows.push(row) };
    handle?.({ ...recorded(created), sealed: 'erased' }, changes as never);
    expect(rows).toMatchObject([{ name: 'channel 7', name_key: 'channel 7', description: '', invite_only: false }]);
  });
});
