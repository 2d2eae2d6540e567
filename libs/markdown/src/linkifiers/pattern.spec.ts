import { readPattern } from './pattern';
import { templateVariables } from './url-template';

describe('a pattern', () => {
  it('has named groups, in the notation of RE2', () => {
    expect(readPattern('(?P<org>a)/(?P<id>b)(c)')).toMatchObject({ groups: ['org', 'id'] });
    expect(readPattern('#[0-9]+')).toMatchObject({ groups: [] });
  });

  it('costs more if it is larger', () => {
    const costOf = (source: string) => (readPattern(source) as { cost: number }).cost;
    expect(costOf('a{500}')).toBeGreaterThan(500);
    expect(costOf('a')).toBeLessThan(10);
  });

  it('matches anywhere in a text', () => {
    const pattern = readPattern('(?P<a>x)(?P<b>y)?');
    if ('error' in pattern) throw new Error(pattern.error);
    expect(pattern.match('--xy')).toEqual({ a: 'x', b: 'y' });
    expect(pattern.match('--x')).toEqual({ a: 'x' });
    expect(pattern.match('--')).toBeUndefined();
  });

  test.each([
    ['(foo', 'missing closing ): `(foo`'],
    ['a????', 'invalid nested repetition operator: `????`'],
    ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
    ['(a)\\1', 'invalid escape sequence: `\\1`'],
    ['a{1001}', 'invalid repeat count: `{1001}`'],
    ['(?P<a>b)(?P<a>c)', 'duplicate capture group name: `a`'],
  ])('is none: %j', (source, error) => expect(readPattern(source)).toEqual({ error }));
});

describe('a URL template', () => {
  test.each([
    ['https://example.com/{foo}', ['foo']],
    ['https://example.com/{foo}{bars}/{foo}', ['foo', 'bars']],
    ['https://example.com{/foo,bar,baz}', ['foo', 'bar', 'baz']],
    ['https://example.com/{?foo*}{+a_1,%20b}{#c.d:3}', ['foo', 'a_1', '%20b', 'c.d']],
    [
      'https://zone_{zone}{.domain}.net/ticket{/id}{?name,chapter}{#fragment:5}{;x}{&y}',
      ['zone', 'domain', 'id', 'name', 'chapter', 'fragment', 'x', 'y'],
    ],
    ['https://example.com/%%(foo)s [bar]', []],
    ['$not_a_url$', []],
  ])('%j has the variables %j', (template, variables) => expect(templateVariables(template)).toEqual(variables));

  test.each([
    '{foo',
    'foo}',
    '{{}',
    '{}',
    '{//foo}',
    '{bar++}',
    '{a b}',
    '{a,}',
    '{a:0}',
    '{a:12345}',
    '{=a}',
    '{a..b}',
  ])('%j is none', (template) => expect(templateVariables(template)).toBeUndefined());
});
