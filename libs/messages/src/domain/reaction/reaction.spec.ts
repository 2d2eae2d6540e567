import type { Instant, MessageId, Position, RealmId, UserId } from '@annals/kernel/domain';
import { Rejected, fold } from '@annals/kernel/domain';
import type { Emoji } from './reaction';
import { addReaction, reactionKey, reactionsAggregate, removeReaction } from './reaction';
import type { ReactionEvent } from './reaction-events';

const by = { messageId: 7 as MessageId, userId: 2 as UserId };
const tada: Emoji = { type: 'unicode_emoji', code: '1f389', name: 'tada' };
const logo: Emoji = { type: 'realm_emoji', code: '1f389', name: 'logo' };

const stored = (facts: readonly ReactionEvent[], erased = false) =>
  facts.map(
    (one, n) =>
      ({
        ...one,
        ...(erased && { sealed: 'erased' }),
        realmId: 1 as RealmId,
        position: (10 + n) as Position,
        stream: 'reaction-7:2',
        version: n + 1,
        at: 0 as Instant,
        actorId: by.userId,
        commandId: '',
        correlation: '',
        causation: null,
        client: 'test',
      }) as const,
  );
const given = (...facts: readonly ReactionEvent[]) => fold(reactionsAggregate, stored(facts));
const codeOf = (act: () => unknown): string | undefined => {
  try {
    act();
  } catch (error) {
    return error instanceof Rejected ? error.code : undefined;
  }
  return undefined;
};

it('has a stream for each user and message', () => {
  expect(reactionsAggregate.stream(reactionKey(by))).toBe('reaction-7:2');
});

it('is added by an event with a sealed name', () => {
  expect(addReaction([], tada, by)).toEqual([
    {
      type: 'messages.ReactionAdded',
      data: { messageId: 7, userId: 2, reactionType: 'unicode_emoji', emojiCode: '1f389' },
      sealed: { emojiName: 'tada' },
    },
  ]);
});

it('is added once, whatever name it is given; another type is another emoji', () => {
  const own = given(...addReaction([], tada, by));
  expect(codeOf(() => addReaction(own, { ...tada, name: 'party' }, by))).toBe('REACTION_ALREADY_EXISTS');
  expect(addReaction(own, logo, by)).toHaveLength(1);
});

it('is removed once, with the name it was added with', () => {
  const added = addReaction([], tada, by);
  const removed = removeReaction(given(...added), { type: 'unicode_emoji', code: '1f389' }, by);
  expect(removed).toEqual([{ ...added[0], type: 'messages.ReactionRemoved' }]);
  const own = given(...added, ...removed);
  expect(codeOf(() => removeReaction(own, tada, by))).toBe('REACTION_DOES_NOT_EXIST');
  expect(addReaction(own, tada, by)).toHaveLength(1);
});

it('is still there when its name was erased', () => {
  const own = fold(reactionsAggregate, stored(addReaction([], tada, by), true));
  expect(own).toEqual([{ ...tada, name: '1f389' }]);
});
