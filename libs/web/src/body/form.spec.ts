import fc from 'fast-check';
import { MAX_FORM_FIELDS, decodeForm, readForm } from './form';

const decoded = (text: string) => ({ ...decodeForm(text) });

describe('decoding a form', () => {
  it.each([
    ['', {}],
    ['&&', {}],
    ['a', { a: '' }],
    ['a=', { a: '' }],
    ['a=1&b=2', { a: '1', b: '2' }],
    ['a=1&a=2', { a: '2' }],
    ['a=b=c', { a: 'b=c' }],
    ['a+b=c+d', { 'a b': 'c d' }],
    ['a=%2B%26%3D', { a: '+&=' }],
    ['k[]=1&n[a]=2', { 'k[]': '1', 'n[a]': '2' }],
    ['a=%E2%9C%94', { a: '✔' }],
    ['a=100%&b=%zz%41', { a: '100%', b: '%zzA' }],
    ['a=%EF%BB%BFx', { a: '\ufeffx' }],
    ['a=%C3%A9%C3', { a: '\udfff' }],
  ])('%s', (text, fields) => {
    expect(decoded(text)).toEqual(fields);
  });

  it('treats __proto__ like any other name', () => {
    const fields = decodeForm('__proto__=x&constructor=y');
    expect(Object.keys(fields)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(Object.getPrototypeOf(fields))).toBeNull();
  });

  it('refuses more fields than there are parameters, with or without names', () => {
    const of = (field: string, count: number) => Buffer.from(Array.from({ length: count }, () => field).join('&'));
    expect({ ...readForm(of('a', MAX_FORM_FIELDS)) }).toEqual({ a: '' });
    for (const field of ['a', '', 'a=1']) {
      expect(() => readForm(of(field, MAX_FORM_FIELDS + 1))).toThrow('Too many parameters');
    }
  });

  it('reads the output of URLSearchParams', () => {
    const wellFormed = fc.string({ unit: 'binary' });
    const pairs = fc.uniqueArray(fc.tuple(wellFormed, wellFormed), { selector: ([name]) => name });
    fc.assert(
      fc.property(pairs, (given) => {
        const fields = decodeForm(new URLSearchParams(given).toString());
        expect(Object.entries(fields).sort()).toEqual([...given].sort());
      }),
    );
  });

  it('never throws, whatever the text', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom('%', '4', 'f', 'E', '&', '=', '+', 'z') }),
    );
    fc.assert(fc.property(anything, (text) => expect(() => decodeForm(text)).not.toThrow()));
  });
});
