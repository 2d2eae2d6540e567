import { defineContext } from '@annals/kernel';
import type { ChannelId, MessageId, RealmId, TopicId, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import type { TestKernel } from '../../../../../test/support/server/kernel';
import { openTestKernel } from '../../../../../test/support/server/kernel';
import type { MessageContentFacts } from '../../domain/events';
import { ContentEdited, MESSAGES_EVENTS } from '../../domain/events';
import { send } from '../../domain/message/message';
import { readEdits } from './texts';

const facts: MessageContentFacts = {
  mentions: { userIds: [], groupIds: [], channelWildcard: false, topicWildcard: false },
  hasLink: false,
  hasImage: false,
  hasAttachment: false,
  isMe: false,
};
const LONG = 1_000;

describe('edits of messages', () => {
  let test: TestKernel;
  beforeAll(async () => {
    const unhandled = Object.fromEntries(MESSAGES_EVENTS.map(({ type }) => [type, 'the log alone is read']));
    test = await openTestKernel([defineContext({ name: 'messages', events: MESSAGES_EVENTS, unhandled })]);
    const place = { channelId: 3 as ChannelId, topicId: 4 as TopicId };
    for (const id of [1, 6] as MessageId[]) {
      const text = { words: { content: `sent ${'x'.repeat(LONG)}` }, facts };
      const sent = send({ place, senderId: 1 as UserId, text, readBySender: true, echo: null });
      const edited = [1, 2, 3, 4].map((n) =>
        fact(ContentEdited, { messageId: id, ...facts }, { content: `${n} ${'x'.repeat(LONG)}` }),
      );
      await test.state(...[sent, ...edited].map((one) => [`message-${id}`, one] as const));
    }
  });
  afterAll(() => test.close());

  const reported = async (most: number | null, bytes: number | null) => {
    const { pool } = test.kernel.database;
    const edits = await readEdits(pool, 1 as RealmId, [1, 6] as MessageId[], { most, bytes });
    return [...edits].map(([id, of]) => [id, of.map(({ current }) => Number.parseInt(current.content ?? '', 10))]);
  };

  it('are all read, newest first', async () => {
    expect(await reported(null, null)).toEqual(
      expect.arrayContaining([
        [1, [4, 3, 2, 1]],
        [6, [4, 3, 2, 1]],
      ]),
    );
  });

  it('are limited for each message', async () => {
    expect(await reported(2, null)).toEqual(
      expect.arrayContaining([
        [1, [4, 3]],
        [6, [4, 3]],
      ]),
    );
  });

  it('are limited in bytes; those of the newest messages are read first', async () => {
    expect(await reported(null, 8 * LONG)).toEqual(
      expect.arrayContaining([
        [1, [4]],
        [6, [4, 3, 2, 1]],
      ]),
    );
    expect(await reported(null, 3.5 * LONG)).toEqual([[6, [4, 3]]]);
    expect(await reported(null, 10)).toEqual([]);
  });
});
