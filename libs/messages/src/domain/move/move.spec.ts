import type { ChannelId, MessageId, Position, TopicId } from '@annals/kernel/domain';
import type { MessagePatch, MoveRequest, TopicPortion } from './move';
import { listedPart, moveEvents, idRangeOf, countNewTopics, requestedMove } from './move';

const [here, there] = [1, 2] as [ChannelId, ChannelId];
const EMPTY_NAME = 'general chat';
const id = (n: number) => n as MessageId;
const topic = (n: number) => n as TopicId;
const at = { channelId: here, name: 'Lunch' };
const patch = (different: Partial<MessagePatch>): MessagePatch => ({
  content: undefined,
  topic: undefined,
  channelId: undefined,
  mode: 'change_one',
  ...different,
});
const requested = (different: Partial<MessagePatch>, place: typeof at | null = at) =>
  requestedMove(id(5), patch(different), place, EMPTY_NAME);

describe('the move that a request asks for', () => {
  it.each<[string, Partial<MessagePatch>, object]>([
    ['a topic', { topic: ' Dinner ' }, { channelId: here, name: 'Dinner' }],
    ['another letter case', { topic: 'lunch' }, { channelId: here, name: 'lunch' }],
    ['the empty topic', { topic: 'general chat' }, { channelId: here, name: '' }],
    ['what is no topic where one sends', { topic: '(no topic)' }, { channelId: here, name: '(no topic)' }],
    ['a long topic, cut', { topic: 'x'.repeat(61) }, { channelId: here, name: `${'x'.repeat(57)}...` }],
    ['a channel', { channelId: there }, { channelId: there, name: 'Lunch' }],
    ['a channel with the same topic', { channelId: there, topic: 'Lunch' }, { channelId: there, name: 'Lunch' }],
    ['both', { channelId: there, topic: 'Dinner' }, { channelId: there, name: 'Dinner' }],
    ['a topic with a new text', { topic: 'Dinner', content: 'x' }, { channelId: here, name: 'Dinner' }],
  ])('%s', (_, different, to) => {
    expect(requested(different)).toMatchObject({ messageId: 5, from: at, to });
  });

  it.each<[string, Partial<MessagePatch>]>([
    ['the topic it has', { topic: 'Lunch', content: 'x' }],
    ['the topic it has, with blanks', { topic: ' Lunch ', content: 'x' }],
    ['a text', { content: 'x' }],
  ])('nothing by %s', (_, different) => {
    expect(requested(different)).toBeNull();
  });

  it.each<[string, Partial<MessagePatch>, typeof at | null, string]>([
    ['nothing', {}, at, 'Nothing to change'],
    ['the topic it has', { topic: 'Lunch' }, at, 'Nothing to change'],
    ['the channel it has', { channelId: here }, at, 'Nothing to change'],
    ['nothing of a direct message', {}, null, 'Nothing to change'],
    ['a topic of a direct message', { topic: 'x', content: 'x' }, null, 'Direct messages'],
    ['a channel of a direct message', { channelId: here }, null, 'Direct messages'],
    ['what follows with a text', { content: 'x', mode: 'change_later' }, at, 'propagate_mode'],
    ['the topic with the name it has', { content: 'x', topic: 'Lunch', mode: 'change_all' }, at, 'propagate_mode'],
    ['the empty topic resolved', { topic: '✔ ' }, at, 'General chat'],
    ['the empty topic resolved by its name', { topic: '✔ general chat' }, at, 'General chat'],
    ['an unprintable name', { topic: ' ab\u0007c' }, at, 'position 3'],
    ['an unprintable name beyond the basic plane', { topic: '😀\u200b\ufdd0' }, at, 'position 3'],
    ['a text and a channel', { content: 'x', channelId: there }, at, 'content while changing channel'],
    ['a text and its own channel', { content: 'x', channelId: here }, at, 'content while changing channel'],
  ])('refuses %s', (_, different, place, message) => {
    expect(() => requested(different, place)).toThrow(message);
  });

  it.each([
    ['Lunch', '✔ Lunch', true],
    ['Lunch', '✔ lunch', false],
    ['Lunch', '✔ Dinner', false],
    ['✔ Lunch', 'Lunch', true],
    ['✔ ✔✔ Lunch', 'Lunch', true],
    ['✔ Lunch', 'Dinner', false],
    ['✔ Lunch', '✔ ✔ Lunch', false],
    ['x'.repeat(60), `✔ ${'x'.repeat(60)}`, true],
    [`✔ ${EMPTY_NAME}`, EMPTY_NAME, false],
  ])('from %j to %j resolves or opens: %s', (name, written, toggles) => {
    const result = requested({ topic: written }, { channelId: here, name });
    expect(result?.togglesResolved).toBe(toggles);
  });

  it('has the range of ids of its mode', () => {
    const reach = (mode: MessagePatch['mode']) => idRangeOf({ mode, messageId: id(5) });
    expect(reach('change_one')).toMatchObject({ first: 5, last: 5 });
    expect(reach('change_later')).toMatchObject({ first: 5, last: Number.MAX_SAFE_INTEGER });
    expect(reach('change_all')).toMatchObject({ first: 0, last: Number.MAX_SAFE_INTEGER });
  });
});

const plan: MoveRequest = {
  messageId: id(5),
  mode: 'change_later',
  from: at,
  to: { channelId: there, name: 'Dinner' },
  togglesResolved: false,
};
const portion = (n: number, total: number, going: number, listed: number[] = [], name = 'Lunch'): TopicPortion => ({
  topic: { id: topic(n), channelId: here, name, since: (n * 100) as Position },
  name,
  total,
  going,
  listed: listed.map(id),
});
const facts = (portions: TopicPortion[], target: TopicId | null = null, request: MoveRequest = plan) => {
  const byName = new Map(target === null ? [] : [[request.to.name, target]]);
  const newTopicIds = [topic(90), topic(91)].slice(0, countNewTopics(request, portions, byName));
  return moveEvents(request, portions, { byName, newTopicIds }).map(({ topicId, event }) => ({ topicId, ...event }));
};

describe('a move', () => {
  it('writes the smaller part of a topic', () => {
    const parts = [0, 1, 5, 6, 10].map((going) => listedPart({ total: 10, going }));
    expect(parts).toEqual(['none', 'going', 'going', 'staying', 'none']);
    expect(listedPart({ total: 200_000, going: 120_000 })).toBe('going');
  });

  it('moves a topic as a whole', () => {
    expect(facts([portion(7, 4, 4)])).toEqual([
      {
        topicId: 7,
        type: 'messages.TopicMoved',
        data: { topicId: 7, from: here, to: there, messageId: 5, mode: 'change_later', messages: 4 },
        sealed: { name: 'Dinner', previousName: 'Lunch' },
      },
    ]);
  });

  it('records that the new name is empty, which must be known after names were erased', () => {
    const toEmpty = { ...plan, to: { channelId: here, name: '' } };
    expect(facts([portion(7, 4, 4)], null, toEmpty)).toMatchObject([{ data: { unnamed: true } }]);
  });

  it('moves some messages to a topic that starts with the oldest of them', () => {
    expect(facts([portion(7, 9, 2, [5, 8]), portion(8, 9, 1, [4])])).toMatchObject([
      { topicId: 90, type: 'messages.TopicStarted', data: { topicId: 90, channelId: there, firstMessageId: 4 } },
      {
        topicId: 7,
        type: 'messages.MessagesMoved',
        data: {
          from: { channelId: here, topicId: 7 },
          to: { channelId: there, topicId: 90 },
          messageIds: [5, 8],
          since: 700,
        },
      },
      { topicId: 8, data: { to: { topicId: 90 }, messageIds: [4], since: 800 } },
    ]);
  });

  it('adds them to an existing topic', () => {
    expect(facts([portion(7, 9, 1, [5])], topic(33))).toMatchObject([{ topicId: 7, data: { to: { topicId: 33 } } }]);
  });

  it('puts the few that stay into a topic with the old name', () => {
    expect(facts([portion(7, 9, 8, [3], 'LUNCH')])).toMatchObject([
      { topicId: 90, data: { topicId: 90, channelId: here, firstMessageId: 3 }, sealed: { name: 'LUNCH' } },
      {
        topicId: 7,
        type: 'messages.TopicMoved',
        data: { messages: 8, left: { topicId: 90, messageIds: [3], since: 700 } },
        sealed: { name: 'Dinner', previousName: 'LUNCH' },
      },
    ]);
  });

  it('keeps each letter case where only the channel changes', () => {
    const away = { ...plan, to: { channelId: there, name: 'Lunch' } };
    const names = (portions: TopicPortion[]) =>
      facts(portions, null, away).flatMap(({ sealed }) => (sealed ? [sealed.name] : []));
    expect(names([portion(7, 2, 2), portion(8, 2, 2, [], 'LUNCH')])).toEqual(['Lunch', 'LUNCH']);
    expect(facts([portion(7, 9, 1, [5]), portion(8, 9, 1, [6], 'LUNCH')], null, away)).toMatchObject([
      { topicId: 90, data: { firstMessageId: 5 }, sealed: { name: 'Lunch' } },
      { topicId: 7, data: { to: { topicId: 90 }, messageIds: [5] } },
      { topicId: 91, data: { firstMessageId: 6 }, sealed: { name: 'LUNCH' } },
      { topicId: 8, data: { to: { topicId: 91 }, messageIds: [6] } },
    ]);
  });

  it('lists at most the maximum of messages in one event', () => {
    const many = Array.from({ length: 60_000 }, (_, n) => n + 1);
    const sizes = facts([portion(7, 200_000, 60_000, many)], topic(33)).map(({ data }) =>
      'messageIds' in data ? data.messageIds.length : 0,
    );
    expect(sizes).toEqual([50_000, 10_000]);
  });

  it('changes no topic that has the new name already, and none of which no message moves', () => {
    const recased = { ...plan, to: { channelId: here, name: 'lunch' } };
    const portions = [portion(7, 2, 2), portion(8, 2, 2, [], 'lunch'), portion(9, 2, 0)];
    expect(facts(portions, topic(8), recased).map(({ topicId }) => topicId)).toEqual([7]);
  });
});
