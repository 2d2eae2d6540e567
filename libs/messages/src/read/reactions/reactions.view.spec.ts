import { defineContext } from '@annals/kernel';
import type { ChannelId, Fact, MessageId, TopicId, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import type { TestKernel } from '../../../../../test/support/server/kernel';
import { REALM, openTestKernel } from '../../../../../test/support/server/kernel';
import { MessagesDeleted } from '../../domain/events';
import { MessageRestored } from '../../domain/restored-event';
import type { Emoji } from '../../domain/reaction/reaction';
import { addReaction, reactionKey, reactionsAggregate, removeReaction } from '../../domain/reaction/reaction';
import { ReactionAdded, ReactionRemoved } from '../../domain/reaction/reaction-events';
import { emojiUnder, readReactions } from './reactions';
import { reactionsView } from './reactions.view';

const [ann, bob] = [1, 2] as [UserId, UserId];
const [first, second] = [7, 8] as [MessageId, MessageId];
const tada: Emoji = { type: 'unicode_emoji', code: '1f389', name: 'tada' };
const heart: Emoji = { type: 'unicode_emoji', code: '2764', name: 'heart' };

describe('the read model of reactions', () => {
  let test: TestKernel;
  beforeEach(async () => {
    const events = [ReactionAdded, ReactionRemoved, MessagesDeleted, MessageRestored];
    test = await openTestKernel([defineContext({ name: 'messages', events, projections: [reactionsView] })]);
  });
  afterEach(() => test.close());

  const happened = (messageId: MessageId, userId: UserId, facts: readonly Fact[]) =>
    test.state(...facts.map((one) => [reactionsAggregate.stream(reactionKey({ messageId, userId })), one] as const));
  const add = (userId: UserId, emoji: Emoji, messageId = first) =>
    happened(messageId, userId, addReaction([], emoji, { messageId, userId }));
  const remove = (userId: UserId, emoji: Emoji, messageId = first) =>
    happened(messageId, userId, removeReaction([emoji], emoji, { messageId, userId }));
  const shown = async (id = first) => (await readReactions(test.kernel.database.pool, REALM, [id])).get(id);

  it('shows reactions in the order in which they were added', async () => {
    await add(bob, tada);
    await add(ann, heart);
    await add(ann, tada);
    await add(ann, tada, second);
    await remove(bob, tada);
    await add(bob, tada);
    expect(await shown()).toEqual([
      { userId: ann, ...heart },
      { userId: ann, ...tada },
      { userId: bob, ...tada },
    ]);
    expect(await emojiUnder(test.kernel.database.pool, REALM, first)).toEqual([tada, heart]);
  });

  it('keeps the positions between which a reaction existed', async () => {
    await add(ann, tada);
    await remove(ann, tada);
    await add(ann, tada);
    const spans = await test.rows('reactions', 'added_position');
    expect(spans.map(({ added_position, removed_position }) => [added_position, removed_position])).toEqual([
      [expect.any(Number), expect.any(Number)],
      [expect.any(Number), null],
    ]);
    expect(spans[0]?.['removed_position']).toBeLessThan(Number(spans[1]?.['added_position']));
    expect(await shown()).toEqual([{ userId: ann, ...tada }]);
  });

  it('loses the reactions of a deleted message', async () => {
    await add(ann, tada);
    await add(ann, tada, second);
    const place = { channelId: 3 as ChannelId, topicId: 4 as TopicId };
    await test.state(['deletions-7', fact(MessagesDeleted, { place, messageIds: [first] })]);
    expect(await shown()).toBeUndefined();
    expect(await shown(second)).toHaveLength(1);
  });
});
