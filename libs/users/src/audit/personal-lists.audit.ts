import type { EventDescription } from '@annals/kernel';
import { counted, describeEvent, possessive, thing } from '@annals/kernel';
import { AlertWordsAdded, AlertWordsRemoved } from '../domain/alert-words/alert-word-events';
import { UserMuted, UserUnmuted } from '../domain/muting/muting-events';

const alertWords = (count: number) => counted(count, 'alert word');

const wordsAdded = describeEvent(AlertWordsAdded, {
  meaning: 'Texts with these words are marked for a user from then on.',
  commands: ['AddAlertWords'],
  sentence: (event) => {
    const { userId, wordIds } = event.data;
    return [`added ${alertWords(wordIds.length)} to `, ...possessive(event, userId), ' list'];
  },
});

const wordsRemoved = describeEvent(AlertWordsRemoved, {
  meaning: 'Texts with these words are no longer marked for a user.',
  commands: ['RemoveAlertWords'],
  sentence: (event) => {
    const { userId, wordIds } = event.data;
    return [`removed ${alertWords(wordIds.length)} from `, ...possessive(event, userId), ' list'];
  },
});

const muted = describeEvent(UserMuted, {
  meaning: 'A user muted another one, whose messages are read from then on.',
  commands: ['MuteUser'],
  sentence: ({ data }) => ['muted ', thing.user(data.mutedUserId)],
  changes: ({ data }) => [{ property: 'is_muted', of: data.mutedUserId, before: false, after: true }],
});

const unmuted = describeEvent(UserUnmuted, {
  meaning: 'A user no longer mutes another one.',
  commands: ['UnmuteUser'],
  sentence: ({ data }) => ['unmuted ', thing.user(data.mutedUserId)],
  changes: ({ data }) => [{ property: 'is_muted', of: data.mutedUserId, before: true, after: false }],
});

export const personalListDescriptions: readonly EventDescription[] = [wordsAdded, wordsRemoved, muted, unmuted];
