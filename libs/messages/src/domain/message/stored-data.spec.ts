import { NO_MENTIONS } from './content-facts';
import { sentData, textFacts } from './stored-data';

const plain = { mentions: NO_MENTIONS, hasLink: false, hasImage: false, hasAttachment: false, isMe: false };

describe('the data of an event with a text, as the log has it', () => {
  it('have all facts that were left out, because most texts have them', () => {
    const place = { channelId: 2, topicId: 3 };
    expect(sentData(JSON.stringify({ place, senderId: 1 }))).toEqual({
      place,
      senderId: 1,
      ...plain,
      readBySender: false,
    });
    expect(textFacts('{"messageId":4}')).toEqual({ messageId: 4, ...plain });
  });

  it('keep the facts that were stored', () => {
    const mentions = { ...NO_MENTIONS, userIds: [7] };
    const stored = { place: { channelId: 2, topicId: 3 }, senderId: 1, mentions, hasLink: true, readBySender: true };
    expect(sentData(JSON.stringify(stored))).toEqual({ ...plain, ...stored });
    expect(textFacts('{"files":[9],"isMe":true,"messageId":4}')).toEqual({
      ...plain,
      isMe: true,
      messageId: 4,
      files: [9],
    });
  });
});
