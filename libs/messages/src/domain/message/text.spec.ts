import { sentTopic, storedTopic } from '../topic';
import { MAX_MESSAGE_LENGTH, MAX_TOPIC_LENGTH, editedContent, sentContent, withEnding } from './text';

describe('the text of a message', () => {
  it.each([
    ['  indented code\n', '  indented code'],
    ['\n\r\nhello \n\n', 'hello'],
    ['a\n\nb', 'a\n\nb'],
  ])('%j is stored as %j', (written, stored) => {
    expect(sentContent(written)).toBe(stored);
    expect(editedContent(written)).toBe(stored);
  });

  it.each(['', '  ', '\n \n'])('is refused if blank when sent, and replaced when edited: %j', (written) => {
    expect(() => sentContent(written)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }) as Error);
    expect(editedContent(written)).toBe('(deleted)');
  });

  it('is cut by code points, with a mark', () => {
    const long = '😀'.repeat(MAX_MESSAGE_LENGTH);
    expect(sentContent(long)).toBe(long);
    const cut = [...sentContent(`${long}x`)];
    expect(cut).toHaveLength(MAX_MESSAGE_LENGTH);
    expect(cut.slice(-20).join('')).toBe('\n[message truncated]');
    expect(editedContent(`${long}x`)).toBe(cut.join(''));
  });
});

describe('a text with an ending', () => {
  it('is cut before the ending, which stays whole', () => {
    const joined = withEnding('😀'.repeat(MAX_MESSAGE_LENGTH), '[file](/x)');
    expect([...joined]).toHaveLength(MAX_MESSAGE_LENGTH);
    expect(joined).toMatch(/😀\n\[message truncated\]\n\n\[file\]\(\/x\)$/);
    expect(sentContent(joined)).toBe(joined);
  });

  it.each([
    ['a', 'b', 'a\n\nb'],
    ['a\n', '', 'a\n'],
    ['', 'b', 'b'],
  ])('of %j and %j is %j', (text, ending, joined) => expect(withEnding(text, ending)).toBe(joined));
});

describe('the name of a topic', () => {
  it.each([
    [' lunch ', 'lunch', 'lunch'],
    ['', '', ''],
    ['general chat', '', ''],
    ['General chat', 'General chat', 'General chat'],
    ['(no topic)', '', '(no topic)'],
    ['x'.repeat(61), `${'x'.repeat(57)}...`, `${'x'.repeat(57)}...`],
    ['😀'.repeat(60), '😀'.repeat(60), '😀'.repeat(60)],
  ])('%j is %j in a sent message, %j elsewhere', (written, sent, stored) => {
    expect(sentTopic(written, 'general chat')).toBe(sent);
    expect(storedTopic(written, 'general chat')).toBe(stored);
    expect([...sentTopic(written, 'general chat')].length).toBeLessThanOrEqual(MAX_TOPIC_LENGTH);
  });
});
