import { decode, everything } from '../../testing/everything';
import { refusalOf } from '../../testing/refusal';
import { decodeForm, emptyFields } from '../body/form';
import { decodeParams, ignoredNames } from './decode';
import { IntegersParam, PathId, PathText, TextParam, TickedParam } from './decorators';
import { specOf } from './spec';

describe('the sources of parameters', () => {
  it('the body wins over the query, and the last of repeated names wins', () => {
    expect(decode('text=body', 'text=query&op=add')).toMatchObject({ text: 'body', op: 'add' });
    expect(decode('text=1&text=2&text=3')).toMatchObject({ text: '3' });
  });

  it('two names of one parameter are REQUEST_CONFUSING_VAR, in every source', () => {
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

  it('a missing parameter is reported before a wrong one', () => {
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

  it('ids and texts of the path are also decoded', () => {
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

  it('the ids of ticked boxes are in the names of the fields of the body', () => {
    class Wishes {
      @TickedParam({ name: 'wish' }) wishes: readonly number[] = [];
    }
    const ask = (body: string) =>
      decodeParams(specOf(Wishes), { path: {}, body: decodeForm(body), query: decodeForm('wish_9=true') }).wishes;
    expect(ask('wish_3=true&other=1&wish_12=')).toEqual([3, 12]);
    expect(ask('wish=3&wishes_4=true')).toEqual([]);
    for (const wrong of ['x', '', '-1', '1.5', '9'.repeat(30)]) {
      expect(() => ask(`wish_${wrong}=true`)).toThrow('Invalid wish');
    }
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

  it('are those that are not declared, each once', () => {
    expect(ignored('text=1&nope=2&dont_block=true', 'nope=3&also=4').sort()).toEqual(['also', 'dont_block', 'nope']);
  });

  it('are not the names, wire names and aliases that were declared, nor `client`', () => {
    expect(ignored('subject=1&stream_id=2&client=mine')).toEqual([]);
    expect(ignored('channelId=2')).toEqual(['channelId']);
  });

  it('are all of them if nothing is declared', () => {
    expect(ignoredNames(undefined, { body: decodeForm('__proto__=1&constructor=2'), query: emptyFields() })).toEqual([
      '__proto__',
      'constructor',
    ]);
  });

  it('include those without effect, which are checked', () => {
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
