import { readAnswer } from './webhook-answer';

const NOTHING = { kind: 'nothing' };
const reply = (content: string) => ({ kind: 'reply', content });

describe('the answer of a program behind a bot', () => {
  it.each([
    [{ content: 'Hi' }, reply('Hi')],
    [{ response_string: 'Hi', content: 'there' }, reply('Hi')],
    [{ content: 12 }, reply('12')],
    [{ content: 'Hi', response_not_required: true }, NOTHING],
    [{ response_not_required: false }, NOTHING],
    [{ content: '  \n' }, NOTHING],
    [{ content: null }, NOTHING],
    [{}, NOTHING],
    ['', NOTHING],
  ])('%j in the generic format', (answer, meaning) =>
    expect(readAnswer('generic', JSON.stringify(answer))).toEqual(meaning),
  );

  it.each([
    [{ text: 'Hi' }, reply('Hi')],
    [{ content: 'Hi' }, NOTHING],
    [{ text: '' }, NOTHING],
  ])('%j in the format of Slack', (answer, meaning) =>
    expect(readAnswer('slack', JSON.stringify(answer))).toEqual(meaning),
  );

  it.each(['', ' \n'])('may be empty: %j', (body) => expect(readAnswer('slack', body)).toEqual(NOTHING));

  it.each(['<html>', '{"content": "Hi"', '{"content": "Hi"} x', 'ok', '\u0000'])(
    'that is no JSON is invalid: %j',
    (body) => expect(readAnswer('generic', body)).toEqual({ kind: 'invalid', reason: 'Invalid JSON in response' }),
  );

  it.each([
    '[]',
    '3',
    'null',
    '"Hi"',
    '{"content": {}}',
    '{"content": ["Hi"]}',
    '{"content": "a\\u0000b"}',
    '{"content": "\\ud800"}',
  ])('of another type is invalid: %s', (body) =>
    expect(readAnswer('generic', body)).toEqual({ kind: 'invalid', reason: 'Invalid response format' }),
  );
});
