import type { EventDescription } from '@annals/kernel';
import { counted, describeEvent, thing } from '@annals/kernel';
import { ActivityCounted, ActivityResumed } from '../domain/events';

const countedDaily = describeEvent(ActivityCounted, {
  meaning: 'The activity of channels was counted, once a day.',
  commands: ['ActivityCounter'],
  sentence: ({ data }) => [`counted the activity of ${counted(data.channels.length, 'channel')}`],
});

const resumed = describeEvent(ActivityResumed, {
  meaning: 'A channel that was no longer recently active got a message.',
  commands: ['SendMessage'],
  sentence: ({ data }) => ['made ', thing.channel(data.channelId), ' recently active again'],
  changes: () => [{ property: 'is_recently_active', before: false, after: true }],
});

export const activityDescriptions: readonly EventDescription[] = [countedDaily, resumed];
