import type { TObject } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { Routes } from '@annals/web';
import { DeclaredAnswers } from './declared-answers';

const PATH = '/api/v1/users/:user';

function declared(returns: TObject | null, path = PATH) {
  const routes = new Routes();
  const add = (at: string, shape: TObject | null) =>
    routes.add({
      method: 'GET',
      path: at,
      endpoint: {
        method: 'GET',
        path: at,
        audience: 'anyone',
        returns: shape,
        params: undefined,
        ids: [],
        wildcard: undefined,
      },
    });
  add(PATH, t.Object({ user: t.String() }));
  add(path, returns);
  return new DeclaredAnswers(routes);
}

const success = (fields: object) => ({ result: 'success', msg: '', ...fields });

describe('an answer is checked against its declaration', () => {
  const user = t.Object({ id: t.Integer(), groups: t.Record(t.String({ pattern: '^[0-9]+$' }), t.Array(t.Integer())) });
  const answers = declared(t.Object({ user, old: t.Optional(t.Boolean()) }), '/api/v1/users/me');
  const check = (fields: object) => () => answers.check('GET', '/api/v1/users/me?x=1', success(fields));
  const good = { id: 1, groups: { 7: [1] } };

  it('and may leave out what is optional', () => {
    expect(check({ user: good })).not.toThrow();
    expect(check({ user: good, old: true, ignored_parameters_unsupported: ['x'] })).not.toThrow();
  });

  it.each([
    ['lacks a field', {}, '/user'],
    ['has another field', { user: good, more: 1 }, '/more'],
    ['has another field further in', { user: { ...good, more: 1 } }, '/user/more'],
    ['has a key of another form', { user: { id: 1, groups: { seven: [] } } }, '/user/groups/seven'],
    ['has a value of another type', { user: { ...good, id: '1' } }, '/user/id'],
    ['has null for what is left out', { user: good, old: null }, '/old'],
    ['has no names of ignored parameters', { user: good, ignored_parameters_unsupported: [] }, '/ignored'],
  ])('and fails when it %s', (_, fields, place) => {
    expect(check(fields)).toThrow(`GET /api/v1/users/me answers otherwise than it declares`);
    expect(check(fields)).toThrow(place);
  });

  it('of the matching route: literals take precedence over parameters', () => {
    expect(() => answers.check('GET', '/api/v1/users/you', success({ user: 'x' }))).not.toThrow();
    expect(() => answers.check('GET', '/api/v1/users/you', success({ user: good }))).toThrow(PATH);
    expect(() => answers.check('POST', '/api/v1/users/you', success({}))).toThrow('no endpoint');
  });

  it('which may be empty, or an open object', () => {
    const nothing = declared(null, '/api/v1/nothing');
    expect(() => nothing.check('GET', '/api/v1/nothing', success({}))).not.toThrow();
    expect(() => nothing.check('GET', '/api/v1/nothing', success({ more: 1 }))).toThrow('/more');
    const open = declared(t.Object({ id: t.Integer() }, { additionalProperties: true }), '/api/v1/open');
    expect(() => open.check('GET', '/api/v1/open', success({ id: 1, more: 1 }))).not.toThrow();
    expect(() => open.check('GET', '/api/v1/open', success({ more: 1 }))).toThrow('/id');
  });
});
