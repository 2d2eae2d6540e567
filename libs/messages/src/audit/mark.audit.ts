import type { EventDescription } from '@annals/kernel';
import { counted, describeEvent, quoted, thing, wordsOf } from '@annals/kernel';
import type { Recorded } from '@annals/kernel/domain';
import { decodeIds } from '../domain/flags/encoded-ids';
import { AllMarkedRead, FlagsChanged } from '../domain/flags/flag-events';
import type { ReactionEvent } from '../domain/reaction/reaction-events';
import { ReactionAdded, ReactionRemoved } from '../domain/reaction/reaction-events';

/** What a user does by adding a flag or removing it. */
const ACTS = {
  read: { add: ['marked ', ' as read'], remove: ['marked ', ' as unread'] },
  starred: { add: ['starred ', ''], remove: ['removed the star of ', ''] },
  collapsed: { add: ['collapsed ', ''], remove: ['expanded ', ''] },
} as const;

const flagsChanged = describeEvent(FlagsChanged, {
  meaning: 'A user added a flag to messages, or removed it from them.',
  commands: ['ChangeFlags', 'ChangeFlagsInNarrow', 'MarkChannelRead', 'EditMessage', 'MuteUser'],
  sentence: ({ actorId, data: { userId, flag, op, ids } }) => {
    const messages = decodeIds(ids);
    const [first] = messages;
    const what =
      first !== undefined && messages.length === 1 ? thing.message(first) : counted(messages.length, 'message');
    const [before, after] = ACTS[flag][op];
    return [before, what, after, ...(actorId === userId ? [] : [' for ', thing.user(userId)])];
  },
});

const allRead = describeEvent(AllMarkedRead, {
  meaning: 'A user has read all messages up to the position of the event.',
  commands: ['MarkAllRead'],
  sentence: () => ['marked all messages as read'],
});

const emojiOf = (event: Recorded<ReactionEvent>, instead: string) =>
  quoted(
    wordsOf(event, ({ emojiName }) => emojiName),
    instead,
  );

const reacted = describeEvent(ReactionAdded, {
  meaning: 'A user reacted to a message with an emoji.',
  commands: ['AddReaction'],
  sentence: (event) => ['reacted to ', thing.message(event.data.messageId), ' with ', emojiOf(event, 'an emoji')],
});

const reactionRemoved = describeEvent(ReactionRemoved, {
  meaning: 'A user removed a reaction from a message.',
  commands: ['RemoveReaction'],
  sentence: (event) => [
    'removed the reaction ',
    emojiOf(event, 'with an emoji'),
    ' from ',
    thing.message(event.data.messageId),
  ],
});

export const markDescriptions: readonly EventDescription[] = [flagsChanged, allRead, reacted, reactionRemoved];
