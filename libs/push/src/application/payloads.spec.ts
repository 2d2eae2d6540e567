import type { GroupId, MessageId, UserId } from '@annals/kernel/domain';
import type { MessageRow } from '@annals/messages';
import type { UserRow } from '@annals/users';
import type { MentionedReader } from './payloads';
import { MAX_PAYLOAD_BYTES, messagePayload, removalPayload } from './payloads';

const HOME = { url: 'https://chat.example.com', name: 'Ann & friends' };
const bob: MentionedReader = { userId: 8 as UserId, role: 400, mentionedBy: null };
const people = (count: number) => Array.from({ length: count }, (_, n) => (1_000_000 + n) as UserId);

let position = 0;
/** The payload for a phone. */
function payloadOf(message: { content: string } & Partial<MessageRow>, to = bob, name = 'Ann') {
  const { content, ...row } = message;
  const sender = {
    realmId: 1,
    userId: 7,
    fullName: name,
    deliveryEmail: 'ann@example.com',
    avatarVersion: 1,
    avatarFile: null,
  };
  const text = { position: (position += 1), content, names: null };
  const place = { channelId: null, channelName: null, topic: null, userIds: [7, 8] };
  return messagePayload(
    HOME,
    to,
    { id: 5 as MessageId, sentAt: 0, ...place, ...row, text } as unknown as MessageRow,
    sender as unknown as UserRow,
  ) as { content: string; recipient_user_ids?: number[]; channel_id?: number };
}
const bytesOf = (payload: object) => Buffer.byteLength(JSON.stringify(payload));

describe('the payload of a message', () => {
  it('is the message with all participants, in the length of a screen', () => {
    expect(payloadOf({ content: 'hello' })).toMatchObject({ content: 'hello', recipient_user_ids: [7, 8] });
    const long = payloadOf({ content: 'x'.repeat(500) });
    expect(long.content).toBe(`${'x'.repeat(199)}…`);
  });

  it('is shortened for many participants, and fits', () => {
    const payload = payloadOf({ content: '漢'.repeat(200), userIds: people(240) });
    expect(payload.recipient_user_ids).toHaveLength(240);
    expect(payload.content).toMatch(/^漢{20,199}…$/);
    expect(bytesOf(payload)).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES);
  });

  it('omits the participants if these alone are too large', () => {
    const payload = payloadOf({ content: 'hello', userIds: people(1_000) });
    expect(payload).not.toHaveProperty('recipient_user_ids');
    expect(payload).not.toHaveProperty('channel_id');
    expect(payload).toMatchObject({ recipient_type: 'direct', content: 'hello' });
  });

  it('fits with the longest names that there are', () => {
    const longest = '😀'.repeat(60);
    const mentionedBy = { id: 9 as GroupId, name: '😀'.repeat(100) };
    const place = { channelId: 3, channelName: longest, topic: longest } as unknown as Partial<MessageRow>;
    const payload = payloadOf(
      { content: '😀'.repeat(200), ...place },
      { ...bob, mentionedBy: mentionedBy },
      '😀'.repeat(100),
    );
    expect(payload).toMatchObject({ channel_id: 3, topic: longest, mentioned_user_group_id: 9 });
    expect(bytesOf(payload)).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES);
  });
});

describe('the payload of a removal', () => {
  it('lists the newest messages, as many as fit', () => {
    const ids = people(1_000);
    const payload = removalPayload(HOME, bob.userId, ids);
    expect(payload).toMatchObject({ type: 'remove', user_id: 8, message_ids: ids.slice(-200) });
    expect(bytesOf(payload)).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES);
  });
});
