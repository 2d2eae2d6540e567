import type { Ask, Answered, ToyApp } from '../../testing/toy-app';
import { startToyApp } from '../../testing/toy-app';

let toy: ToyApp;
beforeAll(async () => (toy = await startToyApp()));
afterAll(() => toy.close());

const JSON_TYPE = { 'content-type': 'application/json' };
const deliver = (query: string, options: Ask = {}): Promise<Answered> =>
  toy.ask('POST', `/api/v1/deliveries?${query}`, { as: null, headers: JSON_TYPE, ...options });
const seen = ({ status, json, headers }: Answered) => [status, json.code ?? 'ok', headers.get('www-authenticate')];

describe('the key of an incoming webhook bot in the query string', () => {
  it('admits the bot, and nobody else', async () => {
    expect(seen(await deliver('api_key=webhook', { body: '{}' }))).toEqual([200, 'ok', null]);
    for (const key of ['member', 'owner', 'bot', 'guest']) {
      expect(seen(await deliver(`api_key=${key}`, { body: '{}' }))).toEqual([401, 'UNAUTHORIZED', null]);
    }
  });

  it('is needed, in the query string only', async () => {
    expect(seen(await deliver('', { body: '{}' }))).toEqual([400, 'REQUEST_VARIABLE_MISSING', null]);
    expect(seen(await deliver('', { headers: {}, form: { api_key: 'webhook' } }))[1]).toBe('REQUEST_VARIABLE_MISSING');
    expect(seen(await deliver('', { as: 'webhook', body: '{}' }))[1]).toBe('REQUEST_VARIABLE_MISSING');
    expect(seen(await deliver('api_key=nobody', { body: '{}' }))).toEqual([401, 'INVALID_API_KEY', null]);
  });

  it('is no login anywhere else', async () => {
    const answer = await toy.ask('POST', '/api/v1/for/webhooks?api_key=webhook', { as: null });
    expect(seen(answer).slice(0, 2)).toEqual([401, 'UNAUTHORIZED']);
  });

  it('is not logged', async () => {
    await deliver('api_key=webhook&stream=secret-place', { body: '{}' });
    expect(JSON.stringify(toy.logged)).not.toMatch(/api_key|secret-place/);
  });
});

describe('the payload of another system', () => {
  const payload = { text: 'a=b&c', numbers: [1.5, 1e30, 12345678901234567890] };
  const text = JSON.stringify(payload);
  const answered = { status: 200, json: { payload } };

  it.each<[string, Ask]>([
    ['JSON', { body: text }],
    ['JSON of another type', { body: text, headers: { 'content-type': 'text/plain' } }],
    ['JSON that says it is a form', { form: text, headers: {} }],
    ['the field of a form', { form: { payload: text, api_key: 'other', stream: 'other' }, headers: {} }],
  ])('is read from %s', async (_, options) => {
    expect(await deliver('api_key=webhook', options)).toMatchObject(answered);
  });

  it('is read from a field of a multipart body', async () => {
    const body = new FormData();
    body.set('payload', text);
    body.set('stream', 'other');
    const answer = await deliver('api_key=webhook&stream=mine', { body, headers: {} });
    expect(answer).toMatchObject({ status: 200, json: { payload, stream: 'mine' } });
    expect(answer.json).not.toHaveProperty('ignored_parameters_unsupported');
  });

  it('has the parameters of the query string and headers beside it', async () => {
    const headers = { ...JSON_TYPE, 'X-Toy-Event': 'push' };
    const answer = await deliver('api_key=webhook&stream=mine&colour=red', { body: '{"stream":"other"}', headers });
    expect(answer.json).toMatchObject({ stream: 'mine', event: 'push', ignored_parameters_unsupported: ['colour'] });
  });

  it.each<[string, Ask, string]>([
    ['nothing', {}, 'INVALID_JSON'],
    ['half of it', { body: '{"a":' }, 'INVALID_JSON'],
    ['what is not UTF-8', { body: Buffer.from([0x7b, 0xff, 0x7d]) }, 'INVALID_JSON'],
    ['a form without the field', { form: { text: 'x' }, headers: {} }, 'REQUEST_VARIABLE_MISSING'],
    ['deep nesting', { body: '['.repeat(100_000) }, 'BAD_REQUEST'],
    ['many keys', { body: `{${'"a":1,'.repeat(20_000)}"b":1}` }, 'BAD_REQUEST'],
    ['a NUL', { body: '{"a":"\\u0000"}' }, 'BAD_REQUEST'],
  ])('is refused if it is %s', async (_, options, code) => {
    expect(seen(await deliver('api_key=webhook', options)).slice(0, 2)).toEqual([400, code]);
  });

  it('has a limit', async () => {
    expect((await deliver('api_key=webhook', { body: `"${'x'.repeat(3 * 1024 * 1024)}"` })).status).toBe(413);
  });
});
