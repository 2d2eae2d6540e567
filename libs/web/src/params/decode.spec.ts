import { decode, one } from '../../testing/everything';
import { refusalOf } from '../../testing/refusal';

const JSON_NAMES = ['flag', 'stream_id', 'ids', 'data', 'any', 'announce', 'timeout'];

describe('the parameters of a request', () => {
  it.each([
    ['text', 'plain text', 'plain text'],
    ['text', '', ''],
    ['text', 'null', 'null'],
    ['text', '"quoted"', '"quoted"'],
    ['text', ' \ttabs and lines\n', ' \ttabs and lines\n'],
    ['title', '  ab  ', 'ab'],
    ['title', '😀😀😀😀😀', '😀😀😀😀😀'],
    ['subject', 'old', 'old', 'topic'],
    ['plain', '"in quotes"', 'in quotes'],
    ['plain', '"open', '"open'],
    ['plain', '""', ''],
    ['email', 'a@example.com', 'a@example.com'],
    ['policy', 'never', 'never'],
    ['policy', '"never"', 'never'],
    ['flag', 'true', true],
    ['flag', 'false', false],
    ['stream_id', '5', 5, 'channelId'],
    ['stream_id', '-7', -7, 'channelId'],
    ['stream_id', ' 8 ', 8, 'channelId'],
    ['stream_id', '-0', 0, 'channelId'],
    ['stream_id', '9007199254740991', 9007199254740991, 'channelId'],
    ['folder', 'null', null],
    ['folder', '3', 3],
    ['ids', '[]', []],
    ['ids', '[3, 1]', [3, 1]],
    ['data', '[{"id": 1}]', [{ id: 1 }]],
    ['any', '{"a": {"b": [null]}}', { a: { b: [null] } }],
    ['any', '"\\ud83d\\ude00"', '😀'],
    ['timeout', 'mobile', 'mobile'],
    ['timeout', '30', 30],
  ])('%s=%s is %j', (name, text, value, property = name) => {
    expect(one(name, text)[property]).toEqual(value);
  });

  it.each(JSON_NAMES)('the text null leaves %s out', (name) => {
    expect(one(name, 'null')).toEqual(decode(''));
  });

  it('a missing parameter is absent, or has its initial value', () => {
    expect(decode('')).toEqual({ announce: true, timeout: 600 });
    expect(Object.keys(decode(''))).not.toContain('text');
  });

  const tooDeep = '['.repeat(33) + ']'.repeat(33);
  it.each([
    ['flag', 'True'],
    ['flag', '1'],
    ['flag', 'yes'],
    ['flag', '"true"'],
    ['flag', ''],
    ['stream_id', ''],
    ['stream_id', '1.5'],
    ['stream_id', '1.0'],
    ['stream_id', '1e3'],
    ['stream_id', '+1'],
    ['stream_id', '007'],
    ['stream_id', '0x10'],
    ['stream_id', 'NaN'],
    ['stream_id', 'Infinity'],
    ['stream_id', '"5"'],
    ['stream_id', '9007199254740992'],
    ['stream_id', '9'.repeat(400)],
    ['digit', '0'],
    ['digit', '10'],
    ['ids', '5'],
    ['ids', '[1,2,3,4]'],
    ['ids', '[1.5]'],
    ['ids', '["1"]'],
    ['ids', '[0]'],
    ['ids', '[9007199254740993]'],
    ['ids', '[null]'],
    ['ids', '[1'],
    ['ids', ''],
    ['data', '[{"id": "x"}]'],
    ['data', '[{"id": 1, "more": 2}]'],
    ['data', '{"id": 1}'],
    ['ids', '[1.0]'],
    ['ids', '[1e0]'],
    ['data', '[{"id": 1.0}]'],
    ['data', '[{"id": 9007199254740993}]'],
    ['any', '1.0'],
    ['any', '{"a": ["\\"", -1.5]}'],
    ['any', '[1E2]'],
    ['any', '["\\\\", 1e400]'],
    ['any', ''],
    ['any', '{'],
    ['any', '{"a": undefined}'],
    ['any', "{'a': 1}"],
    ['any', tooDeep],
    ['any', '"\\u0000"'],
    ['any', '["\\ud800"]'],
    ['any', '{"\\udc00": 1}'],
    ['any', `${'{"a":'.repeat(5)}"\\u0000"${'}'.repeat(5)}`],
    ['op', 'toggle'],
    ['op', ''],
    ['op', '"add"'],
    ['policy', 'toString'],
    ['text', 'a\0b'],
    ['topic', '\0'],
    ['title', 'a'],
    ['title', '   '],
    ['title', '123456'],
    ['title', 'a\nb'],
    ['title', 'a\u0085b'],
    ['title', 'a\ufdd0b'],
    ['title', 'a\u{1ffff}b'],
    ['email', 'nobody'],
    ['timeout', 'never'],
  ])('%s=%s is BAD_REQUEST', (name, text) => {
    expect(refusalOf(() => one(name, text))).toMatchObject({ code: 'BAD_REQUEST', extra: {} });
  });

  it.each(['text', 'title', 'any', 'stream_id', 'policy', 'flag'])(
    'escapes that are not UTF-8 are refused in %s',
    (name) => {
      for (const escapes of ['%ED%A0%80', '%FF', '%C3', '%ff%00']) {
        expect(refusalOf(() => decode(`${name}=${escapes}`))).toMatchObject({ code: 'BAD_REQUEST' });
      }
    },
  );

  it('names the first part of a JSON value that is wrong', () => {
    expect(() => one('data', '[{"id": 1}, {"id": "x"}]')).toThrow('Invalid data[1]["id"]: expected integer');
  });

  it('names a number that is not whole, and accepts the same characters in texts and keys', () => {
    expect(() => one('any', '[1, -2.50, 3.5]')).toThrow('-2.50 in any is not an integer');
    const texts = { '1.5': '1e3 \\" 2.5', '12345678901234567890': ['\\', '0.1"'], n: -9007199254740991 };
    expect(one('any', JSON.stringify(texts)).any).toEqual(texts);
  });

  it('reports the position of an unprintable character, from 1 in code points', () => {
    expect(() => one('title', '😀b\u0007c')).toThrow('Invalid character in title, at position 3');
  });

  it('accepts nesting up to 32 levels, and brackets within texts', () => {
    const deepest = '['.repeat(32) + ']'.repeat(32);
    expect(() => one('any', deepest)).not.toThrow();
    expect(one('any', JSON.stringify(`\\"${'['.repeat(100)}`)).any).toBe(`\\"${'['.repeat(100)}`);
  });

  it('accepts 100,000 entries and 10,000 keys, whatever is in texts, and refuses more before it parses them', () => {
    const parse = jest.spyOn(JSON, 'parse');
    const items = (count: number) => `[${'1,'.repeat(count)}1]`;
    const keys = (count: number) => `{${Array.from({ length: count }, (_, n) => `"${n}":1`).join()}}`;
    expect(() => one('any', items(100_000))).not.toThrow();
    expect(() => one('any', keys(10_000))).not.toThrow();
    expect(() => one('any', JSON.stringify(`\\"${',:'.repeat(100_001)}`))).not.toThrow();
    parse.mockClear();
    for (const text of [items(100_001), keys(10_001), `[${items(50_000)},${items(50_000)}]`, ','.repeat(100_001)]) {
      expect(() => one('any', text)).toThrow('any has too many entries');
    }
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });
});
