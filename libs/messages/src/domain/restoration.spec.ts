import type { ChannelId, Instant, MessageId, Position, Recorded, TopicId, UserId } from '@annals/kernel/domain';
import type { ContentEdited, MessageSent } from './events';
import type { DeletedMessage } from './restoration';
import { hasText, restore } from './restoration';

const [ann, ben] = [1, 2] as [UserId, UserId];
const place = { channelId: 3 as ChannelId, topicId: 9 as TopicId };
const facts = (userIds: UserId[]) => ({
  mentions: { userIds, groupIds: [], channelWildcard: false, topicWildcard: false },
  hasLink: false,
  hasImage: false,
  hasAttachment: false,
  isMe: false,
});
const sent = {
  type: 'messages.MessageSent',
  position: 5,
  at: 1_000,
  client: 'website',
  data: { place, senderId: ann, ...facts([ben]), readBySender: true },
  sealed: { content: 'one' },
} as unknown as Recorded<MessageSent>;
const edited = {
  type: 'messages.ContentEdited',
  position: 7,
  at: 2_000,
  data: { messageId: 5, ...facts([]) },
  sealed: { content: 'two' },
} as unknown as Recorded<ContentEdited>;
const deleted = (text: DeletedMessage['text']): DeletedMessage => ({
  id: 5 as MessageId,
  deletedAt: 8 as Position,
  sent,
  text,
  arrived: 6 as Position,
  wasMoved: false,
});

describe('a restored message', () => {
  it('has all facts of the message: as it was sent, and of its present text', () => {
    const { data, sealed } = restore(deleted(edited), { place, endedTopicId: null });
    expect(data).toEqual({
      ...facts([]),
      messageId: 5,
      deletedAt: 8,
      place,
      senderId: ann,
      sentTo: 3,
      contentPosition: 7,
      arrived: 6,
      wasMoved: false,
      sentAt: 1_000 as Instant,
      editedAt: 2_000,
      client: 'website',
      readBy: ann,
      unreadFor: null,
      mentionedWhenSent: [ben],
    });
    expect(sealed).toEqual({ content: 'two' });
  });

  it('names the topic that ended, and an unedited text', () => {
    const target = { place: { ...place, topicId: 10 as TopicId }, endedTopicId: 9 as TopicId };
    const { data } = restore(deleted(sent), target);
    expect(data).toMatchObject({ place: target.place, endedTopicId: 9, contentPosition: 5, editedAt: null });
  });

  it('needs its text', () => {
    const lost = deleted({ ...sent, sealed: 'erased' });
    expect(hasText(lost)).toBe(false);
    expect(() => restore(lost, { place, endedTopicId: null })).toThrow('erased');
  });
});
