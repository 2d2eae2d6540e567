import type { EventDescription } from '@annals/kernel';
import { describeEvent, possessive, wordsOf } from '@annals/kernel';
import { StatusChanged } from '../domain/events';

const changed = describeEvent(StatusChanged, {
  meaning: 'A user has another status. The event has its text and its emoji.',
  commands: ['ChangeStatus'],
  sentence: (event) => {
    const { userId, hasText, emoji } = event.data;
    const isCleared = !hasText && emoji === null;
    return [isCleared ? 'cleared ' : 'changed ', ...possessive(event, userId), ' status'];
  },
  changes: (event) => {
    const of = event.data.userId;
    return [
      { property: 'status_text', of, after: wordsOf(event, ({ text }) => text), isWords: true },
      { property: 'status_emoji', of, after: wordsOf(event, ({ emojiName }) => emojiName) },
    ];
  },
});

export const statusDescriptions: readonly EventDescription[] = [changed];
