import type { EventDescription } from '@annals/kernel';
import { describeEvent, thing, wordsOf } from '@annals/kernel';
import { EmojiAdded, EmojiDeactivated } from '../domain/emoji-events';

const added = describeEvent(EmojiAdded, {
  meaning: 'The organization has another custom emoji.',
  commands: ['AddEmoji'],
  sentence: ({ data }) => ['added the emoji ', thing.emoji(data.emojiId)],
  names: (event) => [{ thing: thing.emoji(event.data.emojiId), name: wordsOf(event, ({ name }) => name) }],
});

const deactivated = describeEvent(EmojiDeactivated, {
  meaning: 'A custom emoji was deactivated. It is still shown where it was used.',
  commands: ['DeactivateEmoji'],
  sentence: ({ data }) => ['deactivated the emoji ', thing.emoji(data.emojiId)],
  changes: () => [{ property: 'deactivated', before: false, after: true }],
});

export const emojiDescriptions: readonly EventDescription[] = [added, deactivated];
