import { t } from '@annals/kernel/domain';
import { isEmail } from 'class-validator';
import { refusalOf } from '../../testing/refusal';
import { decodeForm, emptyFields } from '../body/form';
import { decodeParams, ignoredNames } from './decode';
import {
  BooleanParam,
  CustomParam,
  IntegerParam,
  IntegersParam,
  JsonParam,
  PathId,
  PathText,
  TextParam,
  WordParam,
} from './decorators';
import { parseInteger } from './json';
import { specOf } from './spec';

class Everything {
  @TextParam({ optional: true }) text?: string;
  @TextParam({ optional: true, trim: true, min: 2, max: 5, printable: true }) title?: string;
  @TextParam({ optional: true, aliases: ['subject'] }) topic?: string;
  @TextParam({ optional: true, quoted: true }) plain?: string;
  @TextParam({ optional: true, is: isEmail }) email?: string;
  @WordParam(['inherit', 'never'], { optional: true, quoted: true }) policy?: string;
  @WordParam(['add', 'remove'], { optional: true }) op?: string;
  @BooleanParam({ optional: true }) flag?: boolean;
  @BooleanParam() announce = true;
  @IntegerParam({ optional: true, name: 'stream_id' }) channelId?: number;
  @IntegerParam({ optional: true, min: 1, max: 9 }) digit?: number;
  @IntegerParam({ optional: true, nullable: true }) folder?: number | null;
  @IntegersParam({ optional: true, min: 1, maxItems: 3 }) ids?: readonly number[];
  @JsonParam(t.Array(t.Object({ id: t.Integer() }, { additionalProperties: false })), { optional: true })
  data?: readonly { id: number }[];
  @JsonParam(t.Unknown(), { optional: true }) any?: unknown;
  @CustomParam(t.Union([t.Integer(), t.Literal('mobile')]), 'json', (text, name) =>
    text === 'mobile' ? text : parseInteger(text, name),
  )
  timeout: number | 'mobile' = 600;
}

const everything = specOf(Everything);
const decode = (body: string, query = '') =>
  decodeParams(everything, { path: {}, body: decodeForm(body), query: decodeForm(query) });
const one = (name: string, text: string) => decode(`${name}=${encodeURIComponent(text)}`) as unknown as Given;
type Given = Record<string, unknown>;

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

  it('what is not given is absent, or has its initial value', () => {
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
    'escapes that are no UTF-8 are refused in %s',
    (name) => {
      for (const escapes of ['%ED%A0%80', '%FF', '%C3', '%ff%00']) {
        expect(refusalOf(() => decode(`${name}=${escapes}`))).toMatchObject({ code: 'BAD_REQUEST' });
      }
    },
  );

  it('names the first place of a JSON value that does not fit', () => {
    expect(() => one('data', '[{"id": 1}, {"id": "x"}]')).toThrow('Invalid data[1]["id"]: expected integer');
  });

  it('names a number that is not whole, and takes whatever stands in texts and keys', () => {
    expect(() => one('any', '[1, -2.50, 3.5]')).toThrow('-2.50 in any is not an integer');
    const texts = { '1.5': '1e3 \\" 2.5', '12345678901234567890': ['\\', '0.1"'], n: -9007199254740991 };
    expect(one('any', JSON.stringify(texts)).any).toEqual(texts);
  });

  it('tells where an unprintable character stands, counted from 1 in code points', () => {
    expect(() => one('title', '😀b\u0007c')).toThrow('Invalid character in title, at position 3');
  });

  it('accepts nesting up to 32 levels, and brackets within texts', () => {
    const deepest = '['.repeat(32) + ']'.repeat(32);
    expect(() => one('any', deepest)).not.toThrow();
    expect(one('any', JSON.stringify(`\\"${'['.repeat(100)}`)).any).toBe(`\\"${'['.repeat(100)}`);
  });

  it('accepts 100,000 entries and 10,000 keys, whatever stands in texts, and refuses more before it parses them', () => {
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

describe('where parameters come from', () => {
  it('the body wins over the query, and the last of repeated names wins', () => {
    expect(decode('text=body', 'text=query&op=add')).toMatchObject({ text: 'body', op: 'add' });
    expect(decode('text=1&text=2&text=3')).toMatchObject({ text: '3' });
  });

  it('two names of one parameter are REQUEST_CONFUSING_VAR, wherever they stand', () => {
    const confusing = { code: 'REQUEST_CONFUSING_VAR', extra: { var_name1: 'topic', var_name2: 'subject' } };
    expect(refusalOf(() => decode('topic=a&subject=a'))).toMatchObject(confusing);
    expect(refusalOf(() => decode('subject=a', 'topic=b'))).toMatchObject(confusing);
  });

  it('a required parameter that is absent is REQUEST_VARIABLE_MISSING', () => {
    class Needy {
      @IntegersParam() principals: readonly number[];
    }
    const ask = (body: string) => () =>
      decodeParams(specOf(Needy), { path: {}, body: decodeForm(body), query: emptyFields() });
    expect(refusalOf(ask(''))).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      extra: { var_name: 'principals' },
    });
    expect(refusalOf(ask('principals=null'))?.code).toBe('BAD_REQUEST');
  });

  it('what is missing is told before what is wrong', () => {
    class Login {
      @TextParam({ min: 5 }) username: string;
      @TextParam() password: string;
    }
    const ask = (body: string) => () =>
      decodeParams(specOf(Login), { path: {}, body: decodeForm(body), query: emptyFields() });
    const missing = { code: 'REQUEST_VARIABLE_MISSING', extra: { var_name: 'password' } };
    expect(refusalOf(ask('username=ann'))).toMatchObject(missing);
    expect(refusalOf(ask('username=ann&password=x'))).toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('ids and texts of the path are decoded too', () => {
    class OfPath {
      @PathId() message_id: number;
      @PathText({ max: 3 }) domain: string;
    }
    const ask = (message_id: string, domain: string) =>
      decodeParams(specOf(OfPath), { path: { message_id, domain }, body: undefined, query: emptyFields() });
    expect(ask('0042', 'a.b')).toEqual({ message_id: 42, domain: 'a.b' });
    expect(() => ask('9'.repeat(20), 'x')).toThrow('Invalid message_id');
    expect(() => ask('1', 'x\0')).toThrow('Invalid character in domain');
    expect(() => ask('1', 'long')).toThrow('domain is too long (limit: 3 characters)');
  });

  it('inherited parameters belong to the class', () => {
    class Base {
      @TextParam() a: string;
    }
    class Derived extends Base {
      @TextParam() b: string;
    }
    const values = decodeParams(specOf(Derived), { path: {}, body: decodeForm('a=1&b=2'), query: emptyFields() });
    expect(values).toBeInstanceOf(Derived);
    expect(values).toEqual({ a: '1', b: '2' });
    expect(specOf(Base).known).toEqual(new Set(['a']));
  });
});

describe('ignored parameters', () => {
  const ignored = (body: string, query = '') =>
    ignoredNames(everything, { body: decodeForm(body), query: decodeForm(query) });

  it('are those that no declaration names, each once', () => {
    expect(ignored('text=1&nope=2&dont_block=true', 'nope=3&also=4').sort()).toEqual(['also', 'dont_block', 'nope']);
  });

  it('are not the names, wire names and aliases that were declared, nor `client`', () => {
    expect(ignored('subject=1&stream_id=2&client=mine')).toEqual([]);
    expect(ignored('channelId=2')).toEqual(['channelId']);
  });

  it('are all of them where nothing is declared', () => {
    expect(ignoredNames(undefined, { body: decodeForm('__proto__=1&constructor=2'), query: emptyFields() })).toEqual([
      '__proto__',
      'constructor',
    ]);
  });

  it('are those without effect too, which are checked all the same', () => {
    class Letter {
      @TextParam({ optional: true, max: 3, noEffect: true, aliases: ['note'] }) comment?: string;
      @TextParam() title: string;
    }
    const spec = specOf(Letter);
    const sources = (body: string) => ({ path: {}, body: decodeForm(body), query: emptyFields() });
    expect(ignoredNames(spec, sources('title=x&note=abc'))).toEqual(['note']);
    expect(decodeParams(spec, sources('title=x&comment=abc'))).toEqual({ title: 'x', comment: 'abc' });
    expect(() => decodeParams(spec, sources('title=x&comment=abcd'))).toThrow('comment is too long');
  });
});
