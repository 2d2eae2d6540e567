import type { Instant, MessageId, Position, Recorded, RealmId, UserId } from '@annals/kernel/domain';
import { fold } from '@annals/kernel/domain';
import type { MessageEvent, Place } from '../events';
import type { Message } from './message';
import { editContent, hasEditableText, mayEditContent, messageAggregate, send, unlessContentChanged } from './message';

const [alice, bob] = [1, 2] as [UserId, UserId];
const sentAt = 1_000_000 as Instant;
const place = { channelId: 3, topicId: 4 } as Place;
const facts = {
  mentions: { userIds: [], groupIds: [], channelWildcard: false, topicWildcard: false },
  hasLink: false,
  hasImage: false,
  hasAttachment: false,
  isMe: false,
};
const text = (content: string) => ({ words: { content }, facts });

const recorded = (fact: MessageEvent, version: number): Recorded<MessageEvent> => ({
  ...fact,
  realmId: 1 as RealmId,
  position: (41 + version) as Position,
  stream: 'message-42',
  version,
  at: sentAt,
  actorId: alice,
  commandId: '',
  correlation: '',
  causation: null,
  client: 'test',
});

const history = (...facts: MessageEvent[]) =>
  fold(
    messageAggregate,
    facts.map((fact, n) => recorded(fact, n + 1)),
  ) as Message;

const sent = send({ place, senderId: alice, text: text('hello'), readBySender: true, echo: null });

test('the event of a message has sender, place and text; its position is the id', () => {
  expect(sent).toEqual({
    type: 'messages.MessageSent',
    data: { place, senderId: alice, ...facts, readBySender: true },
    sealed: { content: 'hello' },
  });
  expect(history(sent)).toEqual({ id: 42, senderId: alice, place, content: 'hello', sentAt, widget: null });
});

test('a text that begins with a command makes a widget, whose text stays', () => {
  const poll = send({ place, senderId: alice, text: text('/poll Lunch?'), readBySender: true, echo: null });
  expect(poll.data.widget).toBe('poll');
  expect('widget' in sent.data).toBe(false);
  expect(history(poll).widget).toBe('poll');
  expect([sent, poll].map((one) => hasEditableText(history(one)).allowed)).toEqual([true, false]);
});

test('the event has the queue that receives the id of its draft', () => {
  const echo = { queueId: 'q', localId: '12.01' };
  expect(send({ place, senderId: alice, text: text('x'), readBySender: false, echo }).data.echo).toEqual(echo);
  expect('echo' in sent.data).toBe(false);
});

describe('replacing the text', () => {
  it('appends one event, and none when the text is the same', () => {
    const message = history(sent);
    expect(editContent(message, text('hello'))).toEqual([]);
    expect(editContent(message, text('bye'))).toEqual([
      { type: 'messages.ContentEdited', data: { messageId: 42, ...facts }, sealed: { content: 'bye' } },
    ]);
    const [edited] = editContent(message, text('bye')) as [MessageEvent];
    expect(history(sent, edited).content).toBe('bye');
  });

  const rules = { allowEditing: true, limitSeconds: 600 };
  const at = (seconds: number) => (sentAt + seconds * 1000) as Instant;
  const may = (by: UserId, seconds: number, different: Partial<typeof rules> | { limitSeconds: null } = {}) =>
    mayEditContent(history(sent), { userId: by }, { ...rules, ...different }, at(seconds)).allowed;

  it('is for its sender alone, within the limit and twenty seconds', () => {
    expect(may(alice, 620)).toBe(true);
    expect(may(alice, 620.001)).toBe(false);
    expect(may(bob, 0)).toBe(false);
  });

  it('has no grace period for typing notifications of edits', () => {
    const isAllowed = (seconds: number) =>
      mayEditContent(history(sent), { userId: alice }, rules, at(seconds), 0).allowed;
    expect([isAllowed(600), isAllowed(600.001)]).toEqual([true, false]);
  });

  it('may be turned off or unlimited by the organization', () => {
    expect(may(alice, 0, { allowEditing: false })).toBe(false);
    expect(may(alice, 1e9, { limitSeconds: null })).toBe(true);
  });

  it('is refused when the client edited another text', () => {
    const digest = (content: string) => `digest of ${content}`;
    const message = history(sent);
    expect(unlessContentChanged(message, null, digest).allowed).toBe(true);
    expect(unlessContentChanged(message, 'digest of hello', digest).allowed).toBe(true);
    expect(unlessContentChanged(message, 'digest of hallo', digest)).toMatchObject({
      because: { code: 'EXPECTATION_MISMATCH' },
    });
    expect(unlessContentChanged({ ...message, content: null }, 'digest of ', digest).allowed).toBe(false);
  });
});

test('an erased text is not in the state', () => {
  const erased = { ...recorded(sent, 1), sealed: 'erased' } as Recorded<MessageEvent>;
  expect(fold(messageAggregate, [erased])).toMatchObject({ id: 42 as MessageId, content: null });
});
