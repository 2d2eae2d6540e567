import type { MessageEventFields } from './narrow';
import { matchesNarrow, parseTerm } from './narrow';

const message = (changes: Partial<MessageEventFields['message']> = {}, flags: string[] = []): MessageEventFields => ({
  message: {
    type: 'stream',
    display_recipient: 'Design',
    subject: 'Logo',
    sender_email: 'Iago@example.com',
    ...changes,
  },
  flags,
});
const direct = message({ type: 'private', display_recipient: [{ id: 1 }], subject: '' });

describe("a queue's narrow", () => {
  const cases: [string, string, MessageEventFields, boolean][] = [
    ['channel', 'design', message(), true],
    ['stream', 'DESIGN', message(), true],
    ['channel', 'core', message(), false],
    ['channel', '[object Object]', direct, false],
    ['topic', 'logo', message(), true],
    ['topic', 'logos', message(), false],
    ['topic', '', message({ subject: '' }), true],
    ['topic', '', message({ subject: 'general chat' }), true],
    ['topic', 'General Chat', message({ subject: '' }), true],
    ['topic', '', direct, false],
    ['sender', 'iago@EXAMPLE.com', message(), true],
    ['sender', 'other@example.com', message(), false],
    ['is', 'dm', direct, true],
    ['is', 'private', direct, true],
    ['is', 'dm', message(), false],
    ['is', 'starred', message({}, ['starred']), true],
    ['is', 'unread', message(), true],
    ['is', 'unread', message({}, ['read']), false],
    ['is', 'alerted', message({}, ['has_alert_word']), true],
    ['is', 'mentioned', message({}, ['mentioned']), true],
    ['is', 'mentioned', message({}, ['stream_wildcard_mentioned']), true],
    ['is', 'mentioned', message({}, ['read']), false],
    ['is', 'resolved', message({ subject: '✔ Logo' }), true],
    ['is', 'resolved', message(), false],
  ];
  it.each(cases)('%s:%s', (operator, operand, event, expected) => {
    expect(matchesNarrow([parseTerm(operator, operand)], event, 'general chat')).toBe(expected);
  });

  it('requires all of its terms', () => {
    const terms = [parseTerm('channel', 'design'), parseTerm('is', 'mentioned')];
    expect(matchesNarrow(terms, message({}, ['mentioned']), '')).toBe(true);
    expect(matchesNarrow(terms, message(), '')).toBe(false);
    expect(matchesNarrow([], direct, '')).toBe(true);
  });

  it.each(['dm', 'id', 'search', '__proto__', 'constructor', ''])('refuses the operator %j', (operator) => {
    expect(() => parseTerm(operator, 'x')).toThrow(`Operator ${operator} not supported.`);
  });

  it.each(['followed', 'constructor', ''])('refuses is:%s', (operand) => {
    expect(() => parseTerm('is', operand)).toThrow(`Operand ${operand} not supported.`);
  });
});
